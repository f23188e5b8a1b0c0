package io.multimed.bench.tpcc.workload;

import io.multimed.bench.client.PreparedSql;
import io.multimed.bench.client.WrongAnswerException;
import io.multimed.bench.load.Text;
import io.multimed.bench.tpcc.population.NonUniform;
import io.multimed.bench.tpcc.population.TpccScale;
import java.sql.SQLException;
import java.util.List;
import java.util.random.RandomGenerator;

/** The choice of a customer by Payment and Order-Status: 60 of 100 times by last name (2.5.1.2). */
record Customers(PreparedSql sql, TpccScale scale, RandomGenerator random) {
    private static final int BY_NAME = 60;
    private static final String NAMED = """
            SELECT c_id FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_last = ? ORDER BY c_first""";

    int warehouse() {
        return Text.number(random, 1, scale.warehouses());
    }

    int district() {
        return Text.number(random, 1, TpccScale.DISTRICTS);
    }

    /**
     * Returns a customer, by number or by name. Of the customers with one name it is the middle one, rounded up, in the order
     * of first names.
     */
    int find(int warehouse, int district) throws SQLException {
        if (random.nextInt(100) >= BY_NAME) {
            return NonUniform.customer(random, scale);
        }
        String name = NonUniform.name(random, scale);
        List<Integer> found = sql.numbers(NAMED, warehouse, district, name);
        if (found.isEmpty()) {
            throw new WrongAnswerException("nobody is named " + name + " in district " + warehouse + "/" + district);
        }
        return found.get((found.size() + 1) / 2 - 1);
    }
}
