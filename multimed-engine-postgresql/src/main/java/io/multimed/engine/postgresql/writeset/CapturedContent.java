package io.multimed.engine.postgresql.writeset;

import io.multimed.engine.postgresql.relay.MessageScanner;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The Master's log itself, in which triggers have left the rows that they captured. A transaction is whole when its commit record comes,
 * and its SCN is the end of that record.
 *
 * <p>Messages of transactions that have not ended are in memory, up to a bound. One thread.
 */
final class CapturedContent implements StreamContent, MessageScanner.Sink {
    /** Length of log whose transactions are remembered as one. */
    private static final long COARSE = 1 << 20;

    private static final int MESSAGE_BYTES = 64;

    /** The messages of a transaction or subtransaction. */
    private static final class Open {
        final List<Message> messages = new ArrayList<>();
        long bytes;
    }

    private record Message(long start, byte[] content) {}

    /**
     * Transactions that have committed.
     *
     * @param from of the first one, its SCN
     * @param end the SCN of the last one
     * @param first where the first message of any of them begins
     */
    private record Committed(long from, long end, long first) {}

    private final MessageScanner scanner;
    private final Function<String, @Nullable CapturedTable> tables;
    private final int words;
    private final long from;
    private final long openBytes;
    private final Map<Integer, Open> open = new HashMap<>();
    private final ArrayDeque<Committed> committed = new ArrayDeque<>();
    /** Those of the present piece of log. */
    private final List<Transaction> complete = new ArrayList<>();

    private long bytes;
    private long lastCommit;

    /**
     * @param log what is scanned: given this object, returns the scanner
     * @param tables by their tokens
     * @param words number of bytes of the secret in front of each message, and the space behind it
     * @param from commits up to here are left out
     * @param openBytes bound of the memory of transactions that have not ended
     */
    CapturedContent(
            Function<MessageScanner.Sink, MessageScanner> log,
            Function<String, @Nullable CapturedTable> tables,
            int words,
            long from,
            long openBytes) {
        this.tables = tables;
        this.words = words;
        this.from = from;
        this.openBytes = openBytes;
        scanner = log.apply(this);
    }

    @Override
    public void data(long position, ByteBuffer content, WriteSetStream.Receiver receiver)
            throws WriteSetTooLargeException {
        if (position != scanner.position()) {
            throw new MalformedWriteSetException("the log goes on at another position");
        }
        scanner.scan(content);
        complete.forEach(receiver::transaction);
        complete.clear();
        if (lastCommit > 0) {
            receiver.position(lastCommit);
            lastCommit = 0;
        }
        if (bytes > openBytes) {
            throw new WriteSetTooLargeException(openBytes);
        }
    }

    /** A commit whose record has come in part is not reached. Nor is a message: who goes on within its record would never see it. */
    @Override
    public void reached(long position, WriteSetStream.Receiver receiver) {
        receiver.position(scanner.wholeEnd());
    }

    @Override
    public long needed(long confirmed) {
        while (!committed.isEmpty() && committed.element().end() <= confirmed) {
            committed.remove();
        }
        // Behind the records that have come whole may be messages of transactions that have begun before.
        long needed = Math.min(confirmed, scanner.wholeEnd());
        for (Committed some : committed) {
            needed = Math.min(needed, some.first());
        }
        for (Open some : open.values()) {
            needed = Math.min(needed, some.messages.get(0).start());
        }
        return needed;
    }

    @Override
    public long streamed() {
        return 0;
    }

    @Override
    public void message(int xid, long start, byte[] content) {
        Open of = open.computeIfAbsent(xid, number -> new Open());
        of.messages.add(new Message(start, content));
        of.bytes += content.length + MESSAGE_BYTES;
        bytes += content.length + MESSAGE_BYTES;
    }

    @Override
    public void committed(int xid, int[] subxids, long end) {
        lastCommit = end;
        List<Message> messages = taken(xid);
        for (int subxid : subxids) {
            messages.addAll(taken(subxid));
        }
        if (messages.isEmpty()) {
            return;
        }
        messages.sort(Comparator.comparingLong(Message::start));
        remember(messages.get(0).start(), end);
        if (end <= from) {
            return;
        }
        CapturedChanges changes = new CapturedChanges(tables);
        messages.forEach(message -> changes.take(message.content(), words));
        List<Change> net = changes.changes();
        complete.add(new Transaction(
                end, xid, net, net.stream().mapToLong(Change::bytes).sum()));
    }

    private List<Message> taken(int xid) {
        Open of = open.remove(xid);
        if (of == null) {
            return new ArrayList<>();
        }
        bytes -= of.bytes;
        return of.messages;
    }

    private void remember(long first, long end) {
        Committed last = committed.peekLast();
        if (last != null && end - last.from() < COARSE) {
            committed.removeLast();
            committed.add(new Committed(last.from(), end, Math.min(first, last.first())));
        } else {
            committed.add(new Committed(end, end, first));
        }
    }

    @Override
    public void aborted(int xid, int[] subxids) {
        taken(xid);
        for (int subxid : subxids) {
            taken(subxid);
        }
    }

    @Override
    public void running(int oldest) {
        List<Integer> ended =
                open.keySet().stream().filter(xid -> xid - oldest < 0).toList();
        ended.forEach(this::taken);
    }
}
