package io.multimed.bench.tpcw.population;

import io.multimed.bench.dialect.BenchmarkDialect;
import io.multimed.bench.load.Parallel;
import io.multimed.bench.load.Rows;
import io.multimed.bench.load.Text;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * The rows of TPC-W's initial database, in pieces that can be made in any order and by any thread.
 *
 * <p>Every piece draws from a generator of its own, seeded by its identity, so that a database depends on scale, seed and day
 * alone.
 *
 * @param today from which ages of orders and customers are counted
 */
public record TpcwPopulation(TpcwScale scale, long seed, LocalDate today) {
    /** Number of rows of the table that leads a piece. */
    static final int PIECE = 2_000;

    /** Lengths of a customer's random names. */
    private static final int NAME_LEAST = 8;

    private static final int NAME_MOST = 15;

    /**
     * A piece of the population.
     *
     * @param lead the table whose ids the piece covers; orders bring their lines and card transactions along
     * @param first id
     * @param last id
     */
    record Piece(Table lead, int first, int last) {}

    /** Fills an empty database: tables, rows, keys and indexes, foreign keys, and the engine's work after loading. */
    public void load(Parallel parallel, BenchmarkDialect dialect) throws SQLException, InterruptedException {
        parallel.inOrder(TpcwSchema.tables(dialect));
        parallel.inOrder(TpcwSchema.sequences(scale));
        parallel.rows(dialect.bulkLoad(), pieces(), this::rows);
        parallel.statements("indexes", TpcwSchema.indexes(dialect));
        parallel.statements("foreign keys", TpcwSchema.FOREIGN_KEYS);
        parallel.settle(dialect.settling(
                Arrays.stream(Table.values()).map(Table::sqlName).toList()));
    }

    /** Returns all pieces, in an order that keeps loaders evenly busy. */
    List<Piece> pieces() {
        Map<Table, Integer> rows = new EnumMap<>(Table.class);
        rows.put(Table.COUNTRY, Countries.all().size());
        rows.put(Table.AUTHOR, scale.authors());
        rows.put(Table.ITEM, scale.items());
        rows.put(Table.ORDERS, scale.orders());
        rows.put(Table.CUSTOMER, scale.customers());
        rows.put(Table.ADDRESS, scale.addresses());
        return rows.entrySet().stream()
                .flatMap(entry -> java.util.stream.IntStream.iterate(1, id -> id <= entry.getValue(), id -> id + PIECE)
                        .mapToObj(first ->
                                new Piece(entry.getKey(), first, Math.min(first + PIECE - 1, entry.getValue()))))
                .toList();
    }

    /** Hands over the rows of a piece. */
    void rows(Piece piece, Rows rows) throws SQLException {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom")
                .create(seed * 1_000_003 + piece.lead().ordinal() * 10_000_000_019L + piece.first());
        for (int id = piece.first(); id <= piece.last(); id++) {
            switch (piece.lead()) {
                case COUNTRY -> country(rows, id);
                case ADDRESS -> address(rows, id, random);
                case AUTHOR -> author(rows, id, random);
                case ITEM -> item(rows, id, random);
                case CUSTOMER -> customer(rows, id, random);
                case ORDERS -> order(rows, id, random);
                case ORDER_LINE, CC_XACTS, SHOPPING_CART, SHOPPING_CART_LINE ->
                    throw new IllegalArgumentException("not a lead: " + piece);
            }
        }
    }

    private static void country(Rows rows, int id) throws SQLException {
        Countries.Country country = Countries.all().get(id - 1);
        rows.row(Table.COUNTRY.sqlName(), id, country.name(), country.exchange(), country.currency());
    }

    private static void address(Rows rows, int id, RandomGenerator random) throws SQLException {
        rows.row(
                Table.ADDRESS.sqlName(),
                id,
                Text.letters(random, 15, 40),
                Text.letters(random, 15, 40),
                Text.letters(random, 4, 30),
                Text.letters(random, 2, 20),
                Text.letters(random, 5, 10),
                Text.number(random, 1, Countries.all().size()));
    }

    private void author(Rows rows, int id, RandomGenerator random) throws SQLException {
        int key = id <= scale.authorKeys() ? id : Text.number(random, 1, scale.authorKeys());
        // Seven syllables leave six of the column's twenty characters for a suffix.
        String lastName = DigSyl.of(key, 7) + (random.nextBoolean() ? Text.letters(random, 1, 6) : "");
        rows.row(
                Table.AUTHOR.sqlName(),
                id,
                Text.letters(random, 3, 20),
                lastName,
                Text.letters(random, 1, 20),
                Text.day(random, LocalDate.of(1800, 1, 1), LocalDate.of(1990, 12, 31)),
                Text.letters(random, 125, 500));
    }

    private void item(Rows rows, int id, RandomGenerator random) throws SQLException {
        int key = id <= scale.titleKeys() ? id : Text.number(random, 1, scale.titleKeys());
        LocalDate published = Text.day(random, LocalDate.of(1930, 1, 1), LocalDate.of(2000, 12, 31));
        int[] related = related(id, random);
        long price = Text.number(random, 100, 999_999);
        long cost = price * Text.number(random, 50, 100) / 100;
        rows.row(
                Table.ITEM.sqlName(),
                id,
                Titles.of(key, random),
                id <= scale.authors() ? id : Text.number(random, 1, scale.authors()),
                published,
                Text.letters(random, 14, 60),
                Text.oneOf(random, Words.SUBJECTS),
                Text.letters(random, 100, 500),
                related[0],
                related[1],
                related[2],
                related[3],
                related[4],
                "img" + id % 100 + "/thumb_" + id + ".gif",
                "img" + id % 100 + "/image_" + id + ".gif",
                Text.hundredths(price),
                Text.hundredths(cost),
                published.plusDays(Text.number(random, 1, 30)),
                Text.number(random, 10, 30),
                Text.letters(random, 13, 13),
                Text.number(random, 20, 9999),
                Text.oneOf(random, Words.BACKINGS),
                Text.hundredths(Text.number(random, 1, 9999)) + "x" + Text.hundredths(Text.number(random, 1, 9999))
                        + "x" + Text.hundredths(Text.number(random, 1, 9999)));
    }

    private int[] related(int id, RandomGenerator random) {
        return random.ints(1, scale.items() + 1)
                .filter(other -> other != id)
                .distinct()
                .limit(5)
                .toArray();
    }

    private void customer(Rows rows, int id, RandomGenerator random) throws SQLException {
        String name = DigSyl.of(id, 0);
        LocalDate since = today.minusDays(Text.number(random, 1, 730));
        LocalDate lastLogin = since.plusDays(Text.number(random, 0, 60));
        LocalDateTime login = today.atStartOfDay();
        rows.row(
                Table.CUSTOMER.sqlName(),
                id,
                name,
                name.toLowerCase(java.util.Locale.ROOT),
                Text.letters(random, NAME_LEAST, NAME_MOST),
                Text.letters(random, NAME_LEAST, NAME_MOST),
                Text.number(random, 1, scale.addresses()),
                Text.digits(random, 9, 16),
                name + "@" + Text.letters(random, 2, 9) + ".com",
                since,
                lastLogin.isAfter(today) ? today : lastLogin,
                login,
                login.plusHours(2),
                Text.hundredths(Text.number(random, 0, 50)),
                Text.hundredths(0),
                Text.hundredths(Text.number(random, 0, 99_999)),
                Text.day(random, LocalDate.of(1880, 1, 1), today),
                Text.letters(random, 100, 500));
    }

    private void order(Rows rows, int id, RandomGenerator random) throws SQLException {
        int lines = Text.number(random, 1, 5);
        LocalDateTime date =
                today.atStartOfDay().minusDays(Text.number(random, 1, 60)).plusSeconds(random.nextInt(86_400));
        LocalDateTime shipped = date.plusDays(Text.number(random, 0, 7));
        long subtotal = Text.number(random, 1_000, 999_999);
        long tax = Math.round(subtotal * 0.0825);
        String total = Text.hundredths(subtotal + tax + 300 + 100L * lines);
        rows.row(
                Table.ORDERS.sqlName(),
                id,
                Text.number(random, 1, scale.customers()),
                date,
                Text.hundredths(subtotal),
                Text.hundredths(tax),
                total,
                Text.oneOf(random, Words.SHIPPING),
                shipped,
                Text.number(random, 1, scale.addresses()),
                Text.number(random, 1, scale.addresses()),
                Text.oneOf(random, Words.STATUS));
        for (int line = 1; line <= lines; line++) {
            rows.row(
                    Table.ORDER_LINE.sqlName(),
                    id,
                    line,
                    Text.number(random, 1, scale.items()),
                    Text.number(random, 1, 300),
                    Text.hundredths(Text.number(random, 0, 30)),
                    Text.letters(random, 20, 100));
        }
        rows.row(
                Table.CC_XACTS.sqlName(),
                id,
                Text.oneOf(random, Words.CARDS),
                Text.digits(random, 16, 16),
                Text.letters(random, 14, 30),
                today.plusDays(Text.number(random, 10, 730)),
                Text.letters(random, 15, 15),
                total,
                shipped,
                Text.number(random, 1, Countries.all().size()));
    }
}
