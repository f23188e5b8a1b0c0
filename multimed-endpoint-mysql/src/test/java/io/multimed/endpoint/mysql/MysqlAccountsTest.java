package io.multimed.endpoint.mysql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.mariadb.MysqlWire;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Accounts that the engine would let in for the sake of Multimed's own process. */
@Tag("slow")
class MysqlAccountsTest {
    private static String login(int port, String user, String password) throws IOException {
        try (MysqlWire client = MysqlWire.connect(port)) {
            return client.tryLogin(MysqlWire.PLAIN, user, password, null).toString();
        }
    }

    @Test
    void anAccountByUnixSocketNeedsAPassword() throws Exception {
        // The engine compares the account's name with that of the process at the other end of its socket.
        String user = System.getProperty("user.name");
        try (FrontedMariaDb fronted = new FrontedMariaDb();
                MysqlWire root = MysqlWire.connect(fronted.engine.port())) {
            root.login("root", "", null);
            String change = user.equals("root") ? "ALTER USER " : "CREATE USER ";
            String reply = root.query(change + "'" + user + "'@localhost IDENTIFIED VIA unix_socket")
                    .get(0);
            assertTrue(reply.startsWith("1 \\00"), reply);
            String refused = login(fronted.port(), user, "");
            assertTrue(refused.contains("unix_socket"), refused);
            reply = root.query("ALTER USER '" + user
                            + "'@localhost IDENTIFIED VIA mysql_native_password USING PASSWORD('pw') OR unix_socket")
                    .get(0);
            assertTrue(reply.startsWith("1 \\00"), reply);
            assertTrue(login(fronted.port(), user, "pw").startsWith("2 \\00"));
            assertFalse(login(fronted.port(), user, "other").startsWith("2 \\00"));
            assertFalse(login(fronted.port(), user, "").startsWith("2 \\00"));
        }
    }

    @Test
    void killsAreAnnounced() throws Exception {
        try (FrontedMariaDb fronted = new FrontedMariaDb();
                MysqlWire client = MysqlWire.connect(fronted.port())) {
            client.login("root", "", null);
            client.query("SELECT 1");
            assertEquals(0, fronted.kills.get());
            client.query("KILL 999999999");
            assertEquals(1, fronted.kills.get());
        }
    }
}
