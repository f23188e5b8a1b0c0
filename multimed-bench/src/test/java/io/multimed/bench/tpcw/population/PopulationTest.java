package io.multimed.bench.tpcw.population;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.bench.load.CopyText;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PopulationTest {
    private static final LocalDate DAY = LocalDate.of(2026, 1, 31);
    private static final TpcwPopulation POPULATION = new TpcwPopulation(new TpcwScale(1, 1_000), 7, DAY);
    private static final Map<String, String> ROWS = all(POPULATION);

    /** Returns the tables in COPY's text form. */
    private static Map<String, String> all(TpcwPopulation population) {
        Map<String, CopyText> all = new TreeMap<>();
        for (TpcwPopulation.Piece piece : population.pieces()) {
            try {
                population.rows(
                        piece,
                        (table, fields) -> all.computeIfAbsent(table, any -> new CopyText())
                                .row(fields));
            } catch (SQLException e) {
                throw new AssertionError(e);
            }
        }
        Map<String, String> texts = new TreeMap<>();
        all.forEach((table, rows) -> texts.put(table, rows.toString()));
        return texts;
    }

    private static List<String[]> rows(Table table) {
        return ROWS.getOrDefault(table.sqlName(), "")
                .lines()
                .map(line -> line.split("\t", -1))
                .toList();
    }

    @Test
    void dependsOnScaleSeedAndDayAlone() {
        assertEquals(all(POPULATION), all(new TpcwPopulation(new TpcwScale(1, 1_000), 7, DAY)));
        assertNotEquals(all(POPULATION), all(new TpcwPopulation(new TpcwScale(1, 1_000), 8, DAY)));
    }

    @Test
    void hasTheRowsThatItsScaleAsksFor() {
        assertEquals(92, rows(Table.COUNTRY).size());
        assertEquals(2_880, rows(Table.CUSTOMER).size());
        assertEquals(5_760, rows(Table.ADDRESS).size());
        assertEquals(250, rows(Table.AUTHOR).size());
        assertEquals(1_000, rows(Table.ITEM).size());
        assertEquals(2_592, rows(Table.ORDERS).size());
        assertEquals(2_592, rows(Table.CC_XACTS).size());
        assertEquals(3.0, rows(Table.ORDER_LINE).size() / 2_592.0, 0.15);
    }

    @Test
    void namesOfNumbersAreTheirSyllables() {
        assertEquals("OGBA", DigSyl.of(10, 0));
        assertEquals("BABABABABAOGAL", DigSyl.of(12, 7));
        assertEquals("ALRIRESEATULINNGBA", DigSyl.of(234_567_890, 0));
    }

    @Test
    void textsAreLettersAndDigitsOfTheStatedLength() {
        for (String[] address : rows(Table.ADDRESS)) {
            assertTrue(address[1].matches("[A-Za-z0-9]{15,40}"), address[1]);
            assertTrue(address[5].matches("[A-Za-z0-9]{5,10}"), address[5]);
        }
        assertEquals(
                62,
                rows(Table.CUSTOMER).stream()
                        .flatMapToInt(customer -> customer[16].chars())
                        .distinct()
                        .count());
    }

    @Test
    void customersAreNamedAfterTheirIds() {
        for (String[] customer : rows(Table.CUSTOMER)) {
            String name = DigSyl.of(Integer.parseInt(customer[0]), 0);
            assertEquals(name, customer[1]);
            assertEquals(name.toLowerCase(Locale.ROOT), customer[2]);
            assertTrue(new BigDecimal(customer[12]).compareTo(new BigDecimal("0.50")) <= 0);
            assertFalse(LocalDate.parse(customer[9]).isAfter(DAY));
        }
    }

    @Test
    void everyKeyThatSearchesLookForIsThere() {
        List<String> titles = rows(Table.ITEM).stream().map(item -> item[1]).toList();
        IntStream.rangeClosed(1, 200)
                .forEach(key -> assertTrue(
                        titles.stream().anyMatch(title -> title.contains(DigSyl.of(key, 7))), "title " + key));
        List<String> names =
                rows(Table.AUTHOR).stream().map(author -> author[2]).toList();
        IntStream.rangeClosed(1, 100)
                .forEach(key -> assertTrue(
                        names.stream().anyMatch(name -> name.startsWith(DigSyl.of(key, 7))), "author " + key));
    }

    @Test
    void titlesAreAsLongAsTheSpecificationsOwn() {
        List<String[]> items = rows(Table.ITEM);
        double mean =
                items.stream().mapToInt(item -> item[1].length()).average().orElseThrow();
        assertEquals(46, mean, 4);
        assertTrue(items.stream().allMatch(item -> item[1].length() <= 60));
        long opened = items.stream()
                .filter(item -> item[1].matches("(BA|OG|AL|RI|RE|SE|AT|UL|IN|NG){7}.*"))
                .count();
        assertEquals(0.23, opened / 1_000.0, 0.05);
    }

    @Test
    void anItemIsRelatedToFiveOthers() {
        for (String[] item : rows(Table.ITEM)) {
            HashSet<String> related = new HashSet<>(Arrays.asList(item).subList(7, 12));
            assertEquals(5, related.size());
            assertFalse(related.contains(item[0]));
            BigDecimal price = new BigDecimal(item[14]);
            BigDecimal cost = new BigDecimal(item[15]);
            assertTrue(cost.compareTo(price) <= 0
                    && cost.multiply(BigDecimal.valueOf(2.1)).compareTo(price) >= 0);
            int stock = Integer.parseInt(item[17]);
            assertTrue(stock >= 10 && stock <= 30);
        }
    }

    @Test
    void ordersAddUp() {
        Map<String, Integer> lines = new TreeMap<>();
        rows(Table.ORDER_LINE).forEach(line -> lines.merge(line[0], 1, Integer::sum));
        Map<String, String> charged = new TreeMap<>();
        rows(Table.CC_XACTS).forEach(card -> charged.put(card[0], card[6]));
        for (String[] order : rows(Table.ORDERS)) {
            int count = lines.get(order[0]);
            assertTrue(count >= 1 && count <= 5);
            assertEquals(
                    new BigDecimal(order[5]),
                    new BigDecimal(order[3]).add(new BigDecimal(order[4])).add(BigDecimal.valueOf(3L + count)));
            assertEquals(order[5], charged.get(order[0]));
        }
    }

    @Test
    void nonUniformChoicesStayInTheirRange() {
        SplittableRandom random = new SplittableRandom(3);
        int[] seen = new int[101];
        for (int i = 0; i < 100_000; i++) {
            seen[NuRand.draw(random, 63, 100)]++;
        }
        assertEquals(0, seen[0]);
        int most = Arrays.stream(seen).max().orElseThrow();
        assertTrue(most > 3 * 1_000, "some are drawn far more often than one time in a hundred");
        assertEquals(
                List.of(1_023, 4_095, 16_383, 65_535, 262_143, 1_048_575, 4_194_303, 4_194_303),
                IntStream.of(2_880, 28_800, 144_000, 576_000, 1_152_000, 2_880_000, 11_520_000, 100_000_000)
                        .mapToObj(NuRand::forCustomers)
                        .toList());
    }
}
