package io.multimed.bench.tpcw.workload;

import io.multimed.bench.client.PreparedSql;
import io.multimed.bench.load.Text;
import io.multimed.bench.tpcw.population.TpcwScale;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** ADMR and ADMC: an item is changed, and its related items are found anew. */
record Administering(PreparedSql sql, TpcwScale scale, RandomGenerator random) {
    private static final int RELATED = 5;
    private static final int IMAGES = 100;
    private static final String CHANGE = """
            UPDATE item SET i_cost = ?, i_image = ?, i_thumbnail = ?, i_pub_date = ? WHERE i_id = ?""";
    private static final String BOUGHT_TOO = """
            SELECT line.ol_i_id, SUM(line.ol_qty) AS sold
              FROM (SELECT DISTINCT o_c_id FROM orders, order_line
                     WHERE ol_o_id = o_id AND o_id > (SELECT MAX(o_id) - 10000 FROM orders) AND ol_i_id = ?) buyer,
                   orders, order_line line
             WHERE orders.o_c_id = buyer.o_c_id AND line.ol_o_id = orders.o_id AND line.ol_i_id <> ?
             GROUP BY line.ol_i_id ORDER BY sold DESC LIMIT 5""";
    private static final String RELATE = """
            UPDATE item SET i_related1 = ?, i_related2 = ?, i_related3 = ?, i_related4 = ?, i_related5 = ?
             WHERE i_id = ?""";

    InteractionOutcome request(Visit visit) throws SQLException {
        sql.only(row -> row.getInt("i_id"), Browsing.ITEM, visit.item());
        return InteractionOutcome.of(then -> {});
    }

    InteractionOutcome confirm(Visit visit) throws SQLException {
        int item = visit.item();
        int image = random.nextInt(IMAGES);
        sql.change(
                CHANGE,
                new BigDecimal(Text.hundredths(Text.number(random, 100, 999_999))),
                "img" + image + "/image_" + item + ".gif",
                "img" + image + "/thumb_" + item + ".gif",
                LocalDate.now(ZoneId.systemDefault()),
                item);
        int[] related = filled(sql.numbers(BOUGHT_TOO, item, item), item);
        sql.change(RELATE, related[0], related[1], related[2], related[3], related[4], item);
        sql.only(row -> row.getInt("i_id"), Browsing.ITEM, item);
        return InteractionOutcome.of(then -> {});
    }

    /** Fills fewer than five found items up with random ones. */
    private int[] filled(List<Integer> found, int item) {
        return Stream.concat(
                        found.stream(),
                        IntStream.generate(() -> Text.number(random, 1, scale.items()))
                                .boxed())
                .filter(other -> other != item)
                .distinct()
                .limit(RELATED)
                .mapToInt(Integer::intValue)
                .toArray();
    }
}
