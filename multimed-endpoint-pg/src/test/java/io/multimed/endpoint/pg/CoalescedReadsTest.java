package io.multimed.endpoint.pg;

import static io.multimed.testkit.wire.Message.types;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.core.counters.RouteCounters;
import io.multimed.endpoint.pg.backend.NodeBackends;
import io.multimed.endpoint.pg.backend.ReadSharing;
import io.multimed.endpoint.pg.config.EndpointLimits;
import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A read that several sessions request in the same words while it waits for a connection is executed once for all of them. */
@Timeout(60)
class CoalescedReadsTest {
    /** Memory for all prepared statements. */
    private static final int ROOM_BYTES = 64 * 1024;

    /** One connection to the Satellite, which is not shared, so a second session waits. */
    @RegisterExtension
    private static final EndpointOnOneEngine multimed =
            new EndpointOnOneEngine(options -> options.withLimits(options.limits()
                    .withConnections(4, 1)
                    .withSharing(new ReadSharing(1, 1))
                    .withPrepared(new EndpointLimits.Prepared(100, 100, ROOM_BYTES, ROOM_BYTES))));

    private static final int CLIENTS = 4;

    private static final String READ_MORE = "SELECT n + $1::int FROM shared";

    private final List<WireSession> clients = new ArrayList<>();
    private WireSession busy;
    private LockedTable locked;
    private long coalescedBefore;

    @BeforeEach
    void keepTheConnectionBusy() throws Exception {
        busy = multimed.open();
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(multimed.open());
        }
        try (WireSession owner = multimed.openEngine()) {
            owner.rows("CREATE TABLE IF NOT EXISTS shared (n int); TRUNCATE shared; INSERT INTO shared VALUES (1)");
        }
        // Reads of a known shape are sent at once.
        clients.getFirst().rows("SELECT n FROM shared");
        clients.getFirst().query("SELECT 1/0");
        clients.getFirst().rows("SELECT random()");
        clients.getFirst().rows("SELECT repeat('long', 100000)");
        locked = LockedTable.readBy(busy, multimed, "busy");
        coalescedBefore = coalesced();
    }

    @AfterEach
    void close() throws IOException {
        locked.close();
        busy.close();
        for (WireSession client : clients) {
            client.close();
        }
    }

    @Test
    void whoAskTheSameAreAnsweredWithOneExecution() throws Exception {
        allAsk(FrontendBytes.query("SELECT n FROM shared"));
        change(2);
        locked.close();
        for (WireSession client : clients) {
            List<Message> answer = client.ready();
            assertEquals("TDCZ", types(answer));
            assertEquals(List.of("2"), texts(answer));
            assertEquals('I', status(answer));
        }
        assertEquals(CLIENTS - 1, coalesced() - coalescedBefore);
        assertGoOn();
    }

    @Test
    void whoAskOtherwiseAreNot() throws Exception {
        for (int i = 0; i < CLIENTS; i++) {
            clients.get(i).send(FrontendBytes.query("SELECT n FROM shared LIMIT " + (i + 1)));
        }
        awaitWaiting(CLIENTS);
        locked.close();
        for (WireSession client : clients) {
            assertEquals(List.of("1"), texts(client.ready()));
        }
        assertEquals(coalescedBefore, coalesced());
    }

    @Test
    void chanceIsEachOnesOwn() throws Exception {
        for (WireSession client : clients) {
            client.send(FrontendBytes.query("SELECT random()"));
        }
        awaitWaiting(CLIENTS);
        locked.close();
        assertNotEquals(texts(clients.get(0).ready()), texts(clients.get(1).ready()));
    }

    @Test
    void settingsAreEachOnesOwn() throws Exception {
        locked.close();
        busy.ready();
        clients.get(0).rows("SET extra_float_digits = 0");
        clients.get(0).rows("SELECT 0.1::float8 + 0.2::float8");
        locked = LockedTable.readBy(busy, multimed, "busy");
        for (WireSession client : clients) {
            client.send(FrontendBytes.query("SELECT 0.1::float8 + 0.2::float8"));
        }
        awaitWaiting(2);
        locked.close();
        assertEquals(List.of("0.3"), texts(clients.get(0).ready()));
        for (int i = 1; i < CLIENTS; i++) {
            assertEquals(List.of("0.30000000000000004"), texts(clients.get(i).ready()));
        }
    }

    @Test
    void anErrorIsToldToEachAsItsOwn() throws Exception {
        clients.get(1).rows("BEGIN READ ONLY");
        allAsk(FrontendBytes.query("SELECT 1/0"));
        locked.close();
        for (WireSession client : clients) {
            List<Message> answer = client.ready();
            assertEquals("22012", answer.getFirst().sqlState(), answer::toString);
            assertEquals(client == clients.get(1) ? 'E' : 'I', status(answer));
        }
        clients.get(1).rows("ROLLBACK");
        assertGoOn();
    }

    @Test
    void cancelOfOneLeavesTheOthersAlone() throws Exception {
        allAsk(FrontendBytes.query("SELECT n FROM shared"));
        for (WireSession cancelled : List.of(clients.get(0), clients.get(2))) {
            cancelled.cancel();
            List<Message> answer = cancelled.ready();
            assertEquals("57014", answer.getFirst().sqlState(), answer::toString);
        }
        awaitWaiting(1);
        locked.close();
        for (WireSession client : List.of(clients.get(1), clients.get(3))) {
            assertEquals(List.of("1"), texts(client.ready()));
        }
        assertGoOn();
    }

    @Test
    void whoGoesLeavesTheOthersAlone() throws Exception {
        allAsk(FrontendBytes.query("SELECT n FROM shared"));
        clients.removeFirst().client().close();
        clients.remove(1).client().close();
        EndpointTest.await(() -> multimed.endpoint.clients() == clients.size() + 1);
        awaitWaiting(1);
        locked.close();
        for (WireSession client : clients) {
            assertEquals(List.of("1"), texts(client.ready()));
        }
        assertGoOn();
    }

    @Test
    void answerThatIsLongIsGivenToEachByItself() throws Exception {
        allAsk(FrontendBytes.query("SELECT repeat('long', 100000)"));
        locked.close();
        for (WireSession client : clients) {
            assertEquals(400_000, texts(client.ready()).getFirst().length());
        }
        assertEquals(coalescedBefore, coalesced());
        assertGoOn();
    }

    @Test
    void blockGoesOn() throws Exception {
        for (int i = 1; i < CLIENTS; i++) {
            clients.get(i).rows("BEGIN READ ONLY");
        }
        allAsk(FrontendBytes.query("SELECT n FROM shared"));
        locked.close();
        for (WireSession client : clients) {
            List<Message> answer = client.ready();
            assertEquals("TDCZ", types(answer));
            assertEquals(List.of("1"), texts(answer));
            assertEquals(client == clients.get(0) ? 'I' : 'T', status(answer));
        }
        assertEquals(CLIENTS - 1, coalesced() - coalescedBefore);
        for (int i = 1; i < CLIENTS; i++) {
            assertEquals('T', status(clients.get(i).query("SELECT n FROM shared")));
            assertEquals("on", clients.get(i).value("SHOW transaction_read_only"));
            clients.get(i).rows("COMMIT");
        }
    }

    /** Otherwise its next read would use another snapshot. */
    @Test
    void firstReadOfABlockWithOneSnapshotIsItsOwn() throws Exception {
        for (WireSession client : clients) {
            client.rows("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
            client.send(FrontendBytes.query("SELECT n FROM shared"));
        }
        awaitWaiting(CLIENTS);
        assertEquals(0, multimed.following());
        locked.close();
        for (WireSession client : clients) {
            assertEquals(List.of("1"), texts(client.ready()));
            change(2);
            assertEquals("1", client.value("SELECT n FROM shared"));
            change(1);
            client.rows("COMMIT");
        }
    }

    @Test
    void statementsPreparedUnderDifferentNamesAreTheSame() throws Exception {
        locked.close();
        busy.ready();
        for (int i = 0; i < CLIENTS; i++) {
            clients.get(i)
                    .send(
                            FrontendBytes.parse("begin" + i, "BEGIN READ ONLY"),
                            FrontendBytes.parse("read" + i, "SELECT n + $1::int FROM shared"),
                            FrontendBytes.sync());
            clients.get(i).ready();
        }
        locked = LockedTable.readBy(busy, multimed, "busy");
        for (int i = 0; i < CLIENTS; i++) {
            clients.get(i)
                    .send(
                            i % 2 == 0 ? new byte[0] : FrontendBytes.bind("", "begin" + i),
                            i % 2 == 0 ? new byte[0] : FrontendBytes.execute("", 0),
                            FrontendBytes.bind("", "read" + i, "10"),
                            FrontendBytes.describe('P', ""),
                            FrontendBytes.execute("", 0),
                            FrontendBytes.sync());
        }
        awaitAlike();
        locked.close();
        for (int i = 0; i < CLIENTS; i++) {
            List<Message> answer = clients.get(i).ready();
            assertEquals(i % 2 == 0 ? "2TDCZ" : "2C2TDCZ", types(answer), answer::toString);
            assertEquals(List.of("11"), texts(answer));
            assertEquals(i % 2 == 0 ? 'I' : 'T', status(answer));
        }
        assertEquals(CLIENTS - 1, coalesced() - coalescedBefore);
        for (int i = 1; i < CLIENTS; i += 2) {
            assertEquals('I', status(clients.get(i).query("COMMIT")));
        }
        assertGoOn();
    }

    @Test
    void whatIsDescribedUnderTheSameNameIsEachOnesOwn() throws Exception {
        locked.close();
        busy.ready();
        clients.get(0).send(FrontendBytes.parse("s", "SELECT n FROM shared"), FrontendBytes.sync());
        clients.get(0).ready();
        clients.get(1).send(FrontendBytes.parse("s", "SELECT n, n FROM shared"), FrontendBytes.sync());
        clients.get(1).ready();
        locked = LockedTable.readBy(busy, multimed, "busy");
        for (WireSession client : clients.subList(0, 2)) {
            client.send(FrontendBytes.describe('S', "s"), FrontendBytes.sync());
        }
        awaitWaiting(2);
        locked.close();
        for (int i = 0; i < 2; i++) {
            List<Message> answer = clients.get(i).ready();
            assertEquals("tTZ", types(answer));
            assertEquals(i + 1, answer.get(1).body()[1], answer::toString);
        }
    }

    @Test
    void beginThatIsPreparedWithItsReadIsEachOnesOwn() throws Exception {
        assertEachExecutes("BEGIN READ ONLY", "SELECT n FROM shared", "12C12DCZ");
    }

    @Test
    void routeIsEachOnesOwn() throws Exception {
        assertEachExecutes("SELECT n FROM shared", "SHOW multimed.route", "12DC12DCZ");
    }

    /** Two clients that send both statements in one segment are executed separately. */
    private void assertEachExecutes(String first, String second, String answer) throws Exception {
        for (WireSession client : clients.subList(0, 2)) {
            client.send(
                    FrontendBytes.parse("", first),
                    FrontendBytes.bind("", ""),
                    FrontendBytes.execute("", 0),
                    FrontendBytes.parse("", second),
                    FrontendBytes.bind("", ""),
                    FrontendBytes.execute("", 0),
                    FrontendBytes.sync());
        }
        awaitWaiting(2);
        locked.close();
        for (WireSession client : clients.subList(0, 2)) {
            assertEquals(answer, types(client.ready()));
        }
    }

    @Test
    void unnamedStatementIsTheClientsAsEver() throws Exception {
        for (WireSession client : clients) {
            client.send(
                    FrontendBytes.parse("", "SELECT n FROM shared"),
                    FrontendBytes.bind("", ""),
                    FrontendBytes.execute("", 0),
                    FrontendBytes.sync());
        }
        awaitAlike();
        locked.close();
        for (WireSession client : clients) {
            assertEquals("12DCZ", types(client.ready()));
        }
        assertEquals(CLIENTS - 1, coalesced() - coalescedBefore);
        for (WireSession client : clients) {
            client.send(FrontendBytes.bind("", ""), FrontendBytes.execute("", 0), FrontendBytes.sync());
            assertEquals("2DCZ", types(client.ready()));
        }
    }

    /** Drivers prepare under a name after a few executions, each client at another time. */
    @Test
    void whoPreparesUnderANameFollowsWhoDoesNot() throws Exception {
        assertPreparedAlike(0);
    }

    @Test
    void whoDoesNotFollowsWhoPreparesUnderAName() throws Exception {
        assertPreparedAlike(1);
    }

    /** In that case the engine need not prepare the leader's statement, so it does not answer Parse either. */
    @Test
    void whoFollowsIsToldThatItIsPreparedIfTheEngineHoldsIt() throws Exception {
        locked.close();
        busy.send(FrontendBytes.parse("held", READ_MORE), FrontendBytes.bind("", "held", "1"), FrontendBytes.sync());
        busy.ready();
        busy.ready();
        locked = LockedTable.readBy(busy, multimed, "busy");
        assertPreparedAlike(1);
    }

    /** @param first the first client to send; even clients prepare without a name */
    private void assertPreparedAlike(int first) throws Exception {
        clients.get(1).rows("BEGIN READ ONLY");
        for (int i = first; i < first + CLIENTS; i++) {
            ask(i % CLIENTS, i % 2 == 0 ? "" : "s" + i % CLIENTS);
            EndpointTest.await(() -> waiting() == 1);
        }
        awaitAlike();
        locked.close();
        for (int i = 0; i < CLIENTS; i++) {
            List<Message> answer = clients.get(i).ready();
            assertEquals("12TDCZ", types(answer), answer::toString);
            assertEquals(List.of("11"), texts(answer));
        }
        assertEquals(CLIENTS - 1, coalesced() - coalescedBefore);
        for (int i = 0; i < CLIENTS; i++) {
            clients.get(i)
                    .send(
                            FrontendBytes.bind("", i % 2 == 0 ? "" : "s" + i, "20"),
                            FrontendBytes.execute("", 0),
                            FrontendBytes.sync());
            assertEquals(List.of("21"), texts(clients.get(i).ready()));
        }
        ask(1, "s1");
        assertEquals("42P05", clients.get(1).ready().getFirst().sqlState());
        clients.get(1).rows("ROLLBACK");
        assertGoOn();
    }

    private void ask(int client, String name) throws IOException {
        clients.get(client)
                .send(
                        FrontendBytes.parse(name, READ_MORE),
                        FrontendBytes.bind("", name, "10"),
                        FrontendBytes.describe('P', ""),
                        FrontendBytes.execute("", 0),
                        FrontendBytes.sync());
    }

    @Test
    void whichStatementIsBoundMatters() throws Exception {
        String[][] names = {{"a", "b", "a", "b"}, {"a", "b", "b", "a"}, {"", "", "", ""}};
        String[][] answers = {{"1", "2"}, {"2", "1"}, {"2", "2"}};
        for (int i = 0; i < names.length; i++) {
            clients.get(i)
                    .send(
                            FrontendBytes.parse(names[i][0], "SELECT n FROM shared"),
                            FrontendBytes.parse(names[i][1], "SELECT n + 1 FROM shared"),
                            FrontendBytes.bind("", names[i][2]),
                            FrontendBytes.execute("", 0),
                            FrontendBytes.bind("", names[i][3]),
                            FrontendBytes.execute("", 0),
                            FrontendBytes.sync());
        }
        awaitWaiting(names.length);
        locked.close();
        for (int i = 0; i < names.length; i++) {
            List<Message> answer = clients.get(i).ready();
            assertEquals("112DC2DCZ", types(answer), answer::toString);
            assertEquals(List.of(answers[i][0]), answer.get(3).texts());
            assertEquals(List.of(answers[i][1]), answer.get(6).texts());
        }
        assertEquals(coalescedBefore, coalesced());
    }

    /** The client gets the engine's error for a name that is in use. */
    @Test
    void nameThatIsTakenIsRefusedToWhoHasTakenIt() throws Exception {
        locked.close();
        busy.ready();
        clients.get(1).send(FrontendBytes.parse("s1", "SELECT 1"), FrontendBytes.sync());
        clients.get(1).ready();
        locked = LockedTable.readBy(busy, multimed, "busy");
        for (int i = 0; i < 2; i++) {
            ask(i, "s" + i);
        }
        awaitWaiting(2);
        locked.close();
        assertEquals(List.of("11"), texts(clients.get(0).ready()));
        assertEquals("42P05", clients.get(1).ready().getFirst().sqlState());
        assertEquals("1", value(clients.get(1), "s1"));
    }

    @Test
    void whoHasNoRoomForWhatItPreparesIsToldSo() throws Exception {
        for (int i = 0; i < CLIENTS - 1; i++) {
            ask(i, "");
            EndpointTest.await(() -> waiting() == 1);
        }
        EndpointTest.await(() -> multimed.following() == CLIENTS - 2);
        fillTheRoom(clients.getLast());
        locked.close();
        assertEquals("53200", clients.getFirst().ready().getFirst().sqlState());
        for (WireSession follower : clients.subList(1, CLIENTS - 1)) {
            List<Message> answer = follower.ready();
            assertEquals("53200", answer.getFirst().sqlState(), answer::toString);
        }
        clients.removeLast().close();
        EndpointTest.await(() -> multimed.endpoint.clients() == clients.size() + 1);
        ask(1, "s1");
        assertEquals(List.of("11"), texts(clients.get(1).ready()));
        assertGoOn();
    }

    /** Fills the memory so that nothing more fits. The statements run on the Master. */
    private static void fillTheRoom(WireSession client) throws IOException {
        for (int length = ROOM_BYTES / 2; length > 0; length /= 2) {
            client.send(FrontendBytes.parse("x".repeat(length), "DELETE FROM shared"), FrontendBytes.sync());
            client.ready();
        }
        // The rest is filled with an unnamed statement.
        Message answer;
        int length = ROOM_BYTES / 2;
        do {
            length -= 100;
            client.send(FrontendBytes.parse("", "DELETE FROM shared -- " + "x".repeat(length)), FrontendBytes.sync());
            answer = client.ready().getFirst();
        } while (answer.type() == 'E');
    }

    private static String value(WireSession client, String statement) throws IOException {
        client.send(FrontendBytes.bind("", statement), FrontendBytes.execute("", 0), FrontendBytes.sync());
        return texts(client.ready()).getFirst();
    }

    @Test
    void whatOthersAskBehindIsAnsweredToo() throws Exception {
        for (WireSession client : clients) {
            client.send(FrontendBytes.query("SELECT n FROM shared"), FrontendBytes.query("SELECT n + 1 FROM shared"));
        }
        awaitAlike();
        locked.close();
        for (WireSession client : clients) {
            assertEquals(List.of("1"), texts(client.ready()));
            assertEquals(List.of("2"), texts(client.ready()));
        }
    }

    /** A read under way may have begun before a change that a new reader must see. */
    @Test
    void nobodyFollowsWhatIsUnderWay() throws Exception {
        clients.get(0).send(FrontendBytes.query("SELECT count(*) AS busy FROM locked"));
        awaitWaiting(1);
        assertEquals(0, multimed.following());
        clients.get(1).send(FrontendBytes.query("SELECT count(*) AS busy FROM locked"));
        EndpointTest.await(() -> multimed.following() == 1);
        locked.close();
        assertEquals(List.of("0"), texts(clients.get(0).ready()));
        assertEquals(List.of("0"), texts(clients.get(1).ready()));
    }

    private void allAsk(byte[] message) throws Exception {
        for (WireSession client : clients) {
            client.send(message);
        }
        awaitAlike();
    }

    /** Waits until all have sent their read, exactly one of them waits for a connection, and the others follow it. */
    private void awaitAlike() throws Exception {
        awaitWaiting(1);
        EndpointTest.await(() -> multimed.following() == CLIENTS - 1);
    }

    private static void awaitWaiting(int sessions) throws Exception {
        EndpointTest.await(() -> waiting() == sessions);
    }

    private static int waiting() {
        return multimed.endpoint.backends(multimed.satellite).stream()
                .mapToInt(NodeBackends::waitingCount)
                .sum();
    }

    private void change(int n) throws IOException {
        try (WireSession owner = multimed.openEngine()) {
            owner.rows("UPDATE shared SET n = " + n);
        }
    }

    private void assertGoOn() throws IOException {
        busy.ready();
        for (WireSession client : clients) {
            assertEquals("on", client.value("SELECT 'on'"));
        }
        assertEquals(0, multimed.satellite.active());
        assertTrue(waiting() == 0);
    }

    private static long coalesced() {
        return multimed.endpoint.counters().stream()
                .mapToLong(RouteCounters::coalescedReads)
                .sum();
    }

    private static List<String> texts(List<Message> messages) {
        return messages.stream()
                .filter(message -> message.type() == 'D')
                .findFirst()
                .orElseThrow(() -> new AssertionError(messages))
                .texts();
    }

    private static byte status(List<Message> answer) {
        return answer.getLast().body()[0];
    }
}
