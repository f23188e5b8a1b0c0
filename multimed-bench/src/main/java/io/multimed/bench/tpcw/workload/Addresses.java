package io.multimed.bench.tpcw.workload;

import io.multimed.bench.client.PreparedSql;
import io.multimed.bench.dialect.BenchmarkDialect;
import io.multimed.bench.load.Text;
import io.multimed.bench.tpcw.population.Countries;
import java.sql.SQLException;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** An address as typed by a customer: found among the known ones, or inserted. */
final class Addresses {
    private static final String COUNTRY = "SELECT co_id FROM country WHERE co_name = ?";
    private static final String MATCH = """
            SELECT addr_id FROM address WHERE addr_street1 = ? AND addr_street2 = ? AND addr_city = ?
               AND addr_state = ? AND addr_zip = ? AND addr_co_id = ?""";
    private static final String INSERT = """
            INSERT INTO address (addr_id, addr_street1, addr_street2, addr_city, addr_state, addr_zip, addr_co_id)
            VALUES (?, ?, ?, ?, ?, ?, ?)""";

    /** @param inserted whether it was not known before */
    record Entered(int id, int country, boolean inserted) {}

    private final PreparedSql sql;
    private final RandomGenerator random;
    private final String next;

    Addresses(PreparedSql sql, BenchmarkDialect dialect, RandomGenerator random) {
        this.sql = sql;
        this.random = random;
        this.next = dialect.nextValue("address_id");
    }

    Entered enter() throws SQLException {
        String country = Text.oneOf(random, Countries.all()).name();
        int countryId = sql.number(COUNTRY, country);
        String street1 = Text.letters(random, 15, 40);
        String street2 = Text.letters(random, 15, 40);
        String city = Text.letters(random, 4, 30);
        String state = Text.letters(random, 2, 20);
        String zip = Text.letters(random, 5, 10);
        Optional<Integer> known = sql.row(row -> row.getInt(1), MATCH, street1, street2, city, state, zip, countryId);
        if (known.isPresent()) {
            return new Entered(known.get(), countryId, false);
        }
        int id = sql.number(next);
        sql.change(INSERT, id, street1, street2, city, state, zip, countryId);
        return new Entered(id, countryId, true);
    }
}
