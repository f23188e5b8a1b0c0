package io.multimed.bench.tpcw.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.bench.BenchDatabase;
import io.multimed.bench.dialect.BenchmarkDialect;
import io.multimed.bench.measure.Inside;
import io.multimed.bench.measure.Measured;
import io.multimed.bench.measure.MeasuredOperations;
import io.multimed.bench.measure.Used;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A client's behaviour when the engine refuses, or gives an impossible answer. */
@Tag("slow")
class ConflictTest {
    private static final int INTERACTIONS = 600;
    /** A trigger that refuses every second cart. It uses a sequence, which keeps the values drawn by refused transactions. */
    private static final String REFUSE_EVERY_SECOND_CART = """
            CREATE SEQUENCE refusals;
            CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
              IF nextval('refusals') % 2 = 1 THEN RAISE EXCEPTION 'refused' USING ERRCODE = '40001'; END IF;
              RETURN new;
            END $$;
            CREATE TRIGGER refuse BEFORE UPDATE ON shopping_cart FOR EACH ROW EXECUTE FUNCTION refuse()""";

    private static final String BOUGHT = """
            SELECT string_agg(ol_o_id || ' ' || ol_i_id || ' ' || ol_qty || ' ' || ol_comments, ';'
                   ORDER BY ol_o_id, ol_id) FROM order_line WHERE ol_o_id > 2592""";

    private record Done(Measured measured, TpcwTally tally, String bought) {}

    private static Done run(String preparation) throws Exception {
        MeasuredOperations recording = new MeasuredOperations(
                Arrays.stream(Interaction.values())
                        .map(i -> new MeasuredOperations.Kind(i.name(), i.title(), i.readOnly(), false, 0))
                        .toList(),
                System.nanoTime(),
                600);
        recording.openWindow(System.nanoTime());
        TpcwTally tally = new TpcwTally();
        AtomicInteger left = new AtomicInteger(INTERACTIONS);
        try (BenchDatabase database = new BenchDatabase();
                Connection connection = database.open();
                Statement statement = connection.createStatement()) {
            statement.execute(preparation);
            EmulatedBrowser client = new EmulatedBrowser(
                    new EmulatedBrowser.Setting(
                            database::open,
                            TpcwMix.ORDERING.chain(),
                            BenchDatabase.SCALE,
                            BenchmarkDialect.POSTGRESQL,
                            1,
                            recording,
                            tally,
                            () -> left.getAndDecrement() > 0),
                    1);
            client.connect();
            client.run();
            client.disconnect();
            recording.closeWindow(System.nanoTime());
            try (ResultSet row = statement.executeQuery(BOUGHT)) {
                row.next();
                return new Done(
                        recording.measured(Used.NOTHING, Inside.NOTHING), tally, String.valueOf(row.getString(1)));
            }
        }
    }

    @Test
    void aRefusedTransactionDoesTheSameAgainAndChangesNothingThatFollows() throws Exception {
        Done undisturbed = run("SELECT 1");
        Done refused = run(REFUSE_EVERY_SECOND_CART);
        assertEquals(0, undisturbed.measured().retries());
        assertTrue(refused.measured().retries() > 10);
        assertEquals(INTERACTIONS, refused.measured().completed());
        assertEquals(undisturbed.bought(), refused.bought());
    }

    @Test
    void anAnswerThatCannotBeRightIsCounted() throws Exception {
        Done done = run("UPDATE customer SET c_passwd = 'x'");
        assertTrue(done.tally().wrongAnswers() > 0);
        assertEquals(done.tally().wrongAnswers(), done.measured().failures());
    }
}
