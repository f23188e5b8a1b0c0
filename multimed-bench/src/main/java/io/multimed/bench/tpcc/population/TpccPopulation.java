package io.multimed.bench.tpcc.population;

import io.multimed.bench.dialect.BenchmarkDialect;
import io.multimed.bench.load.Parallel;
import io.multimed.bench.load.Rows;
import io.multimed.bench.load.Text;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.jspecify.annotations.Nullable;

/**
 * The rows of TPC-C's initial database (4.3.3).
 *
 * @param now time at which everything was entered
 */
public record TpccPopulation(TpccScale scale, long seed, LocalDateTime now) {
    /**
     * A piece of the population: items, or the stock of a warehouse, or one of its districts.
     *
     * @param warehouse 0 for the items
     * @param district 0 for the warehouse itself and its stock
     */
    record Piece(int warehouse, int district) {}

    private static final int ORIGINAL_PER_CENT = 10;
    private static final BigDecimal PAID = new BigDecimal("10.00");
    private static final BigDecimal OWED = new BigDecimal("-10.00");
    private static final BigDecimal NOTHING = new BigDecimal("0.00");
    private static final BigDecimal CREDIT_LIMIT = new BigDecimal("50000.00");

    /** Fills an empty database: tables, rows, indexes, and the engine's work after loading. */
    public void load(Parallel parallel, BenchmarkDialect dialect) throws SQLException, InterruptedException {
        parallel.inOrder(TpccSchema.TABLES);
        parallel.rows(dialect.bulkLoad(), pieces(), this::rows);
        parallel.inOrder(TpccSchema.INDEXES);
        parallel.settle(dialect.settling(TpccSchema.NAMES));
    }

    List<Piece> pieces() {
        List<Piece> pieces = new ArrayList<>(List.of(new Piece(0, 0)));
        for (int warehouse = 1; warehouse <= scale.warehouses(); warehouse++) {
            for (int district = 0; district <= TpccScale.DISTRICTS; district++) {
                pieces.add(new Piece(warehouse, district));
            }
        }
        return pieces;
    }

    void rows(Piece piece, Rows rows) throws SQLException {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom")
                .create(seed * 1_000_003 + piece.warehouse() * 100L + piece.district());
        if (piece.warehouse() == 0) {
            items(rows, random);
        } else if (piece.district() == 0) {
            warehouse(piece.warehouse(), rows, random);
        } else {
            district(piece.warehouse(), piece.district(), rows, random);
        }
    }

    private void items(Rows rows, RandomGenerator random) throws SQLException {
        for (int item = 1; item <= scale.items(); item++) {
            rows.row(
                    "item",
                    item,
                    Text.number(random, 1, 10_000),
                    Text.letters(random, 14, 24),
                    BigDecimal.valueOf(Text.number(random, 100, 10_000), 2),
                    data(random));
        }
    }

    /** Returns letters, in every tenth case with ORIGINAL among them. */
    private static String data(RandomGenerator random) {
        String data = Text.letters(random, 26, 50);
        if (random.nextInt(100) >= ORIGINAL_PER_CENT) {
            return data;
        }
        int at = random.nextInt(data.length() - 7);
        return data.substring(0, at) + "ORIGINAL" + data.substring(at + 8);
    }

    private void warehouse(int warehouse, Rows rows, RandomGenerator random) throws SQLException {
        rows.row(
                "warehouse",
                warehouse,
                Text.letters(random, 6, 10),
                Text.letters(random, 10, 20),
                Text.letters(random, 10, 20),
                Text.letters(random, 10, 20),
                Text.letters(random, 2, 2),
                zip(random),
                BigDecimal.valueOf(random.nextInt(2001), 4),
                paidBy(TpccScale.DISTRICTS * scale.customers()));
        for (int item = 1; item <= scale.items(); item++) {
            List<@Nullable Object> fields = new ArrayList<>(List.of(warehouse, item, Text.number(random, 10, 100)));
            for (int district = 1; district <= TpccScale.DISTRICTS; district++) {
                fields.add(Text.letters(random, 24, 24));
            }
            fields.addAll(List.of(0, 0, 0, data(random)));
            rows.row("stock", fields.toArray());
        }
    }

    private static String zip(RandomGenerator random) {
        return Text.digits(random, 4, 4) + "11111";
    }

    private static BigDecimal paidBy(int customers) {
        return PAID.multiply(BigDecimal.valueOf(customers));
    }

    private void district(int warehouse, int district, Rows rows, RandomGenerator random) throws SQLException {
        rows.row(
                "district",
                warehouse,
                district,
                Text.letters(random, 6, 10),
                Text.letters(random, 10, 20),
                Text.letters(random, 10, 20),
                Text.letters(random, 10, 20),
                Text.letters(random, 2, 2),
                zip(random),
                BigDecimal.valueOf(random.nextInt(2001), 4),
                paidBy(scale.customers()),
                scale.customers() + 1);
        List<Integer> customers = new ArrayList<>();
        for (int customer = 1; customer <= scale.customers(); customer++) {
            customer(warehouse, district, customer, rows, random);
            customers.add(customer);
        }
        // Each customer has made one order; the orders are in random order.
        Collections.shuffle(customers, Random.from(random));
        for (int order = 1; order <= scale.customers(); order++) {
            order(warehouse, district, order, customers.get(order - 1), rows, random);
        }
    }

    private void customer(int warehouse, int district, int customer, Rows rows, RandomGenerator random)
            throws SQLException {
        rows.row(
                "customer",
                warehouse,
                district,
                customer,
                Text.letters(random, 8, 16),
                "OE",
                NonUniform.nameLoaded(random, scale, customer),
                Text.letters(random, 10, 20),
                Text.letters(random, 10, 20),
                Text.letters(random, 10, 20),
                Text.letters(random, 2, 2),
                zip(random),
                Text.digits(random, 16, 16),
                now,
                random.nextInt(10) == 0 ? "BC" : "GC",
                CREDIT_LIMIT,
                BigDecimal.valueOf(random.nextInt(5001), 4),
                OWED,
                PAID,
                1,
                0,
                Text.letters(random, 300, 500));
        rows.row(
                "history", customer, district, warehouse, district, warehouse, now, PAID, Text.letters(random, 12, 24));
    }

    private void order(int warehouse, int district, int order, int customer, Rows rows, RandomGenerator random)
            throws SQLException {
        boolean delivered = order <= scale.delivered();
        int lines = Text.number(random, 5, 15);
        rows.row(
                "orders",
                warehouse,
                district,
                order,
                customer,
                now,
                delivered ? (Integer) Text.number(random, 1, 10) : null,
                lines,
                1);
        for (int line = 1; line <= lines; line++) {
            rows.row(
                    "order_line",
                    warehouse,
                    district,
                    order,
                    line,
                    Text.number(random, 1, scale.items()),
                    warehouse,
                    delivered ? now : null,
                    5,
                    delivered ? NOTHING : BigDecimal.valueOf(Text.number(random, 1, 999_999), 2),
                    Text.letters(random, 24, 24));
        }
        if (!delivered) {
            rows.row("new_order", warehouse, district, order);
        }
    }
}
