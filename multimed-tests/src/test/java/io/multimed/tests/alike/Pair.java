package io.multimed.tests.alike;

import io.multimed.testkit.wire.ConnectionEnded;
import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.Message;
import io.multimed.testkit.wire.ServerAddress;
import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** A client of Multimed with a PostgreSQL process of its own beside it, whose answers are the right ones. */
final class Pair implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int REMEMBERED = 30;

    final int number;
    private final WireSession plain;
    private final WireSession through;
    private final ArrayList<String> done = new ArrayList<>();
    /** PostgreSQL's answers since the latest change. Only a change invalidates them. */
    private final Map<Ask, ClientAnswer> known = new HashMap<>();

    /** Parameters as the servers have reported them. */
    private final Map<String, String> plainParameters = new TreeMap<>();

    private final Map<String, String> parameters = new TreeMap<>();
    private final Set<String> prepared = new HashSet<>();
    private char status = 'I';
    private boolean wrote;
    private boolean refused;
    private int cancelled;
    private boolean gone;

    Pair(int number, ServerAddress plain, ServerAddress through, Map<String, String> startup) throws IOException {
        this.number = number;
        this.plain = WireSession.open(plain, startup, null, PATIENCE);
        this.through = WireSession.open(through, startup, null, PATIENCE);
        new ClientAnswer(this.plain.greeting()).addParameters(plainParameters);
        new ClientAnswer(this.through.greeting()).addParameters(parameters);
        done.add("starts with " + startup);
    }

    char status() {
        return status;
    }

    boolean wrote() {
        return wrote;
    }

    /** Whether Multimed has made a refusal that docs/limits.md describes: from then on the two are not comparable. */
    boolean isRefused() {
        return refused;
    }

    void sendChange(String sql) throws IOException {
        note(sql);
        plain.send(FrontendBytes.query(sql));
        through.send(FrontendBytes.query(sql));
    }

    /**
     * @return the difference between the answers, empty if there is none
     */
    String hearChange(String sql) throws IOException {
        ClientAnswer right = hearPlain(1);
        ClientAnswer own = hear(through, 1);
        known.clear();
        if (sql.equals("DISCARD ALL") && !right.failed()) {
            prepared.clear();
        }
        wrote |= sql.startsWith("INSERT");
        status = right.status();
        wrote &= status != 'I';
        return compare(sql, right, own);
    }

    /**
     * Prepares a named read on both servers, unless it is prepared. @return the difference between the answers, empty if there
     * is none
     */
    String prepare(Ask ask) throws IOException {
        if (!ask.isNamed() || !prepared.add(ask.name(number))) {
            return "";
        }
        note("prepares " + ask);
        plain.send(ask.prepare(number), FrontendBytes.sync());
        through.send(ask.prepare(number), FrontendBytes.sync());
        ClientAnswer right = hearPlain(1);
        if (!right.says('1')) {
            prepared.remove(ask.name(number));
        }
        status = right.status();
        return compare("prepares " + ask, right, hear(through, 1));
    }

    boolean isPrepared(Ask ask) {
        return !ask.isNamed() || prepared.contains(ask.name(number));
    }

    /** Keeps a connection busy for a moment. */
    void sendBusy() throws IOException {
        through.send(FrontendBytes.query("SELECT pg_sleep(0.01)"));
    }

    /** @return the answer if it is an error; empty if it is none, or a refusal that docs/limits.md describes */
    String hearBusy() throws IOException {
        ClientAnswer own = hear(through, 1);
        own.addParameters(parameters);
        if (own.isRefusedOnSatellite()) {
            refused = true;
        }
        return refused || !own.failed() ? "" : "client " + number + " keeps a connection busy\n" + own;
    }

    void sendAsk(Ask ask, int times) throws IOException {
        note("sends " + ask);
        byte[][] messages = ask.messages(number);
        byte[][] all = new byte[messages.length * times][];
        for (int i = 0; i < all.length; i++) {
            all[i] = messages[i % messages.length];
        }
        through.send(all);
    }

    /**
     * @return the difference between the answers, empty if there is none or an earlier request has been refused
     */
    String hearAsk(Ask ask, int times) throws IOException {
        if (refused) {
            hear(through, ask.readies() * times);
            return "";
        }
        ClientAnswer right = right(ask);
        status = right.status();
        for (int i = 0; i < times; i++) {
            String difference = compare("asks " + ask, right, hear(through, ask.readies()));
            if (!difference.isEmpty()) {
                return difference;
            }
        }
        return "";
    }

    private ClientAnswer right(Ask ask) throws IOException {
        ClientAnswer right = known.get(ask);
        if (right == null) {
            plain.send(ask.messages(number));
            right = hearPlain(ask.readies());
            known.put(ask, right);
        }
        return right;
    }

    /**
     * Reads the answers of a read that may have been cancelled. @return the difference between the answers, empty if there is
     * none
     */
    String hearDisturbed(Ask ask, int times) throws IOException {
        ClientAnswer right = right(ask);
        for (int i = 0; i < times; i++) {
            ClientAnswer own = hear(through, ask.readies());
            if (own.isCancelled() && own.status() == right.status()) {
                cancelled++;
                continue;
            }
            String difference = compare("asks, disturbed, " + ask, right, own);
            if (!difference.isEmpty()) {
                return difference;
            }
        }
        return "";
    }

    /** Cancels the client's statement on Multimed. */
    void cancel() throws IOException {
        note("cancels");
        through.cancel();
    }

    /** Sets a short statement_timeout on Multimed alone. */
    void hurry(String time) throws IOException {
        note("has " + time);
        through.rows("SET statement_timeout = '" + time + "'");
    }

    void takeTime() throws IOException {
        // This statement itself may run into the timeout.
        while (new ClientAnswer(through.query("SET statement_timeout = 0")).isCancelled()) {
            note("has no time yet to take time");
        }
    }

    /** Closes the client's connection to Multimed without waiting for anything. */
    void vanish() throws IOException {
        note("vanishes");
        through.client().close();
        gone = true;
    }

    boolean isGone() {
        return gone;
    }

    /** Returns how many answers were cancellations. */
    int cancelled() {
        return cancelled;
    }

    /** The client's latest steps. */
    String history() {
        return "client " + number + ", process " + through.pid() + "\n    " + String.join("\n    ", done);
    }

    private String compare(String what, ClientAnswer right, ClientAnswer own) {
        own.addParameters(parameters);
        if (own.isLike(right) && parameters.equals(plainParameters)) {
            return "";
        }
        if (own.isRefusedOnSatellite()) {
            refused = true;
            return "";
        }
        return "client " + number + " " + what + "\n  told by PostgreSQL " + plainParameters + "\n  by Multimed "
                + parameters + "\n  PostgreSQL\n" + right + "  Multimed\n" + own + "  before\n    "
                + String.join("\n    ", done);
    }

    private static ClientAnswer hear(WireSession session, int readies) throws IOException {
        List<Message> messages = new ArrayList<>();
        try {
            for (int left = readies; left > 0; ) {
                Message message = session.client().read();
                messages.add(message);
                if (message.type() == 'Z') {
                    left--;
                }
            }
        } catch (ConnectionEnded ended) {
            throw new IOException("the connection has ended after " + messages, ended);
        }
        return new ClientAnswer(messages);
    }

    private ClientAnswer hearPlain(int readies) throws IOException {
        ClientAnswer answer = hear(plain, readies);
        answer.addParameters(plainParameters);
        return answer;
    }

    private void note(String what) {
        if (done.size() > REMEMBERED) {
            done.removeFirst();
        }
        done.add(what);
    }

    @Override
    public void close() throws IOException {
        plain.close();
        if (!gone) {
            through.close();
        }
    }
}
