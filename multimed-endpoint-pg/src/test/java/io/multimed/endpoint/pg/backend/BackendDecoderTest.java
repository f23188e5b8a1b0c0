package io.multimed.endpoint.pg.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.core.node.ComputationalNode;
import io.multimed.core.node.Nodes;
import io.multimed.model.NodeId;
import io.multimed.model.Role;
import io.multimed.protocol.pg.Backend;
import io.multimed.protocol.pg.BackendMessages;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class BackendDecoderTest {
    /** Accepts every message except one refused type, and records all calls. */
    private static final class Listener implements BackendUser {
        final StringBuilder passed = new StringBuilder();
        final List<String> told = new ArrayList<>();
        boolean whole;
        byte refused = Backend.COMMAND_COMPLETE;

        @Override
        public boolean onMessage(byte type, ByteBuf in, int index, int length) {
            String content = whole ? in.toString(index + 5, length - 5, StandardCharsets.ISO_8859_1) : "";
            told.add((char) type + content);
            return type != refused;
        }

        @Override
        public boolean wantsWholeMessages() {
            return whole;
        }

        @Override
        public void onBytes(ByteBuf in, int from, int to) {
            passed.append(in.toString(from, to - from, StandardCharsets.ISO_8859_1));
        }

        @Override
        public boolean wantsBoundary() {
            return false;
        }

        @Override
        public void onBoundary() {}

        @Override
        public void onReady(byte status) {
            told.add("ready " + (char) status);
        }

        @Override
        public void onClosed() {
            told.add("closed");
        }

        @Override
        public boolean wantsMore() {
            return true;
        }
    }

    private static ByteBuf conversation(boolean withoutComplete) {
        ByteBuf out = Unpooled.buffer();
        BackendMessages.textColumns(out, List.of("a", "b"));
        for (int i = 0; i < 20; i++) {
            BackendMessages.textRow(out, List.of("row " + i, "x".repeat(i * 7)));
        }
        if (!withoutComplete) {
            BackendMessages.commandComplete(out, "SELECT 20");
        }
        BackendMessages.readyForQuery(out, (byte) 'T');
        return out;
    }

    private static final class Doubts implements CommitDoubts {
        long begun;
        boolean over;

        @Override
        public long begin() {
            return ++begun;
        }

        @Override
        public boolean isOver(long doubt) {
            return over;
        }
    }

    private final Doubts doubts = new Doubts();
    private final AtomicLong clock = new AtomicLong();

    private EmbeddedChannel channel(Listener listener) {
        ComputationalNode master = new ComputationalNode(NodeId.MASTER, Role.MASTER);
        EmbeddedChannel channel = new EmbeddedChannel();
        LoopBackends loop = new LoopBackends(
                channel.eventLoop(),
                Transport.NIO,
                new Nodes(master, List.of()),
                node -> "",
                EngineProcesses.UNKNOWN,
                doubts,
                node -> 1,
                node -> new ConnectionBudget(new ConnectionBudget.Limits(1, 0, 0)),
                10,
                new ReadSharing(1, 1),
                clock::get);
        BackendConnection connection =
                new BackendConnection(loop.of(master), new PoolKey("u", "d", java.util.Map.of()), channel, 10);
        connection.assign(listener, clock.get(), false);
        channel.pipeline().addLast(new BackendDecoder(connection));
        return channel;
    }

    private Listener decode(Random random, boolean whole) {
        Listener listener = new Listener();
        listener.whole = whole;
        EmbeddedChannel channel = channel(listener);
        ByteBuf bytes = conversation(false);
        while (bytes.isReadable()) {
            int part = Math.min(bytes.readableBytes(), 1 + random.nextInt(40));
            channel.writeInbound(Unpooled.copiedBuffer(bytes.readSlice(part)));
        }
        channel.finishAndReleaseAll();
        return listener;
    }

    @Test
    void passesTheSameBytesHoweverTheyArrive() {
        String expected = conversation(true).toString(StandardCharsets.ISO_8859_1);
        for (int seed = 0; seed < 200; seed++) {
            Listener listener = decode(new Random(seed), false);
            assertEquals(expected, listener.passed.toString(), "seed " + seed);
            assertEquals(25, listener.told.size(), "seed " + seed);
        }
    }

    /** Wherever the connection ends, an error can be sent after the bytes passed so far. */
    @Test
    void onlyWholeMessagesArePassedWhereverTheyAreCut() {
        byte[] all = ByteBufUtil.getBytes(conversation(false));
        Set<String> prefixes = prefixesOfWholeMessages();
        for (int part : List.of(1, 2, 7, 100, all.length)) {
            for (int cut = all.length; cut >= (part < 100 ? all.length : 0); cut--) {
                Listener listener = new Listener();
                EmbeddedChannel channel = channel(listener);
                for (int at = 0; at < cut; at += part) {
                    channel.writeInbound(Unpooled.copiedBuffer(all, at, Math.min(part, cut - at)));
                    assertTrue(prefixes.contains(listener.passed.toString()), cut + " bytes by " + part);
                }
                channel.finishAndReleaseAll();
                assertEquals("closed", listener.told.getLast());
            }
        }
    }

    private static Set<String> prefixesOfWholeMessages() {
        ByteBuf passed = conversation(true);
        Set<String> prefixes = new HashSet<>(Set.of(""));
        for (int at = 0; at < passed.writerIndex(); ) {
            at += 1 + passed.getInt(at + 1);
            prefixes.add(passed.toString(0, at, StandardCharsets.ISO_8859_1));
        }
        return prefixes;
    }

    /** The received buffers are passed on, except for the header of a message that is cut in two. */
    @Test
    void rowsThatAreCutAreNotCopied() {
        ByteBuf rows = Unpooled.buffer();
        for (int i = 0; i < 200; i++) {
            BackendMessages.textRow(rows, List.of("x".repeat(10_000)));
        }
        int length = rows.readableBytes();
        for (int size : List.of(8192, 4096, 65536)) {
            Listener listener = new Listener();
            EmbeddedChannel channel = channel(listener);
            Counting allocator = new Counting();
            channel.config().setAllocator(allocator);
            int copied = 0;
            for (int at = 0; at < length; at += size) {
                int end = Math.min(at + size, length);
                int begun = end % (length / 200);
                copied += begun > 0 && begun < 5 ? 1 : 0;
                channel.writeInbound(Unpooled.copiedBuffer(rows.slice(at, end - at)));
            }
            assertEquals(length, listener.passed.length());
            assertTrue(allocator.given <= copied, allocator.given + " buffers");
            channel.finishAndReleaseAll();
        }
    }

    @Test
    void rowsTooLongToWaitForArePassedInParts() {
        for (boolean discarded : List.of(false, true)) {
            Listener listener = new Listener();
            listener.refused = discarded ? Backend.DATA_ROW : Backend.COMMAND_COMPLETE;
            EmbeddedChannel channel = channel(listener);
            BackendDecoder decoder = channel.pipeline().get(BackendDecoder.class);
            for (int size : List.of(BackendDecoder.LONGEST_WHOLE_ROW, BackendDecoder.LONGEST_WHOLE_ROW + 1)) {
                boolean inParts = size > BackendDecoder.LONGEST_WHOLE_ROW && !discarded;
                int before = listener.passed.length();
                channel.writeInbound(Unpooled.buffer()
                        .writeByte(Backend.DATA_ROW)
                        .writeInt(size - 1)
                        .writeZero(1000));
                assertEquals(inParts, decoder.isAmidMessage());
                assertEquals(inParts ? 1005 : 0, listener.passed.length() - before);
                channel.writeInbound(Unpooled.buffer().writeZero(size - 1006));
                assertEquals(inParts, decoder.isAmidMessage());
                channel.writeInbound(Unpooled.buffer().writeZero(1));
                assertFalse(decoder.isAmidMessage());
                assertEquals(discarded ? 0 : size, listener.passed.length() - before);
            }
            channel.finishAndReleaseAll();
        }
    }

    @Test
    void rowsThatAreLookedIntoAreWhole() {
        for (int seed = 0; seed < 200; seed++) {
            Listener listener = decode(new Random(seed), true);
            assertEquals("ready T", listener.told.get(23), "seed " + seed);
            assertEquals(
                    conversation(true).toString(StandardCharsets.ISO_8859_1),
                    listener.passed.toString(),
                    "seed " + seed);
        }
    }

    @Test
    void theEngineIsHeardToItsEndThoughNothingCanBeWrittenAnyMore() {
        Listener listener = new Listener();
        EmbeddedChannel channel = channel(listener);
        channel.pipeline().fireExceptionCaught(new IOException("Broken pipe"));
        channel.writeInbound(conversation(false));
        assertEquals("ready T", listener.told.getLast());
        channel.finishAndReleaseAll();
        assertEquals("closed", listener.told.getLast());
    }

    /** Counts the buffers that it allocates. */
    private static final class Counting extends AbstractByteBufAllocator {
        int given;

        @Override
        protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
            given++;
            return UnpooledByteBufAllocator.DEFAULT.heapBuffer(initialCapacity, maxCapacity);
        }

        @Override
        protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
            return newHeapBuffer(initialCapacity, maxCapacity);
        }

        @Override
        public boolean isDirectBufferPooled() {
            return false;
        }
    }

    @Test
    void aLongMessageIsNotCopiedForEachPieceOfIt() {
        int pieces = 128;
        byte[] piece = new byte[64 * 1024];
        Listener listener = new Listener();
        EmbeddedChannel channel = channel(listener);
        Counting allocator = new Counting();
        channel.config().setAllocator(allocator);
        channel.writeInbound(
                Unpooled.buffer().writeByte(Backend.NOTICE_RESPONSE).writeInt(4 + pieces * piece.length));
        for (int i = 0; i < pieces; i++) {
            assertEquals(List.of(), listener.told);
            channel.writeInbound(Unpooled.copiedBuffer(piece));
        }
        assertEquals(List.of("N"), listener.told);
        assertEquals(5 + pieces * piece.length, listener.passed.length());
        assertEquals(1, allocator.given);
        channel.finishAndReleaseAll();
    }

    private static ByteBuf notice(String sqlState, String file) {
        ByteBuf out = Unpooled.buffer();
        String fields = "SWARNUNG\0VWARNING\0C" + sqlState + "\0Mes wird nicht mehr gewartet\0F" + file + "\0L1\0\0";
        out.writeByte(Backend.NOTICE_RESPONSE).writeInt(4 + fields.length());
        out.writeCharSequence(fields, StandardCharsets.US_ASCII);
        return out;
    }

    private static ByteBuf committed() {
        ByteBuf out = Unpooled.buffer();
        BackendMessages.commandComplete(out, "COMMIT");
        BackendMessages.readyForQuery(out, (byte) 'I');
        return out;
    }

    private void pass(EmbeddedChannel channel, Duration time) {
        clock.addAndGet(time.toNanos());
        channel.advanceTimeBy(time.toNanos(), TimeUnit.NANOSECONDS);
        channel.runScheduledPendingTasks();
    }

    @Test
    void afterWordOfACommitThatWaitsNoLongerNothingIsListenedToBeforeTheRelayHasReceivedIt() {
        for (boolean atOnce : List.of(true, false)) {
            doubts.over = false;
            Listener listener = new Listener();
            EmbeddedChannel channel = channel(listener);
            ByteBuf word = notice("01000", "syncrep.c");
            if (atOnce) {
                channel.writeInbound(Unpooled.wrappedBuffer(word, committed()));
            } else {
                channel.writeInbound(word);
                channel.writeInbound(committed());
            }
            pass(channel, Duration.ofSeconds(1));
            assertEquals(List.of("N"), listener.told);
            assertFalse(channel.config().isAutoRead());

            doubts.over = true;
            pass(channel, Duration.ofMillis(1));
            assertEquals(List.of("N", "C", "Z", "ready I"), listener.told);
            assertTrue(channel.config().isAutoRead());
            channel.finishAndReleaseAll();
        }
        assertEquals(2, doubts.begun);
    }

    @Test
    void whoeverWaitsForARelayThatStandsStillIsToldInTheEnd() {
        Listener listener = new Listener();
        EmbeddedChannel channel = channel(listener);
        channel.writeInbound(notice("57P01", "other.c"));
        channel.writeInbound(committed());
        for (int second = 0; second < 9; second++) {
            pass(channel, Duration.ofSeconds(1));
        }
        assertEquals(List.of("N"), listener.told);
        pass(channel, Duration.ofSeconds(1));
        assertEquals(List.of("N", "C", "Z", "ready I"), listener.told);
        channel.finishAndReleaseAll();
    }

    @Test
    void otherWarningsAreNothingToWaitFor() {
        Listener listener = new Listener();
        EmbeddedChannel channel = channel(listener);
        channel.writeInbound(notice("01000", "pl_exec.c"), committed());
        assertEquals(List.of("N", "C", "Z", "ready I"), listener.told);
        assertEquals(0, doubts.begun);
        channel.finishAndReleaseAll();
    }
}
