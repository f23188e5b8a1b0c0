package io.multimed.engine.postgresql.writeset;

import java.nio.ByteBuffer;

/** A stream of pgoutput, which PostgreSQL decodes from its log. */
final class LogContent implements StreamContent {
    private final TransactionAssembler assembler;
    private final LogicalDecoder decoder = new LogicalDecoder();

    LogContent(long openBytes) {
        assembler = new TransactionAssembler(openBytes);
    }

    @Override
    public void data(long position, ByteBuffer content, WriteSetStream.Receiver receiver)
            throws WriteSetTooLargeException {
        Transaction transaction = assembler.take(decoder.decode(content));
        if (transaction != null) {
            receiver.transaction(transaction);
        }
    }

    @Override
    public void reached(long position, WriteSetStream.Receiver receiver) {
        receiver.position(position);
    }

    /** The slot itself keeps what it needs to decode transactions whole. */
    @Override
    public long needed(long confirmed) {
        return confirmed;
    }

    @Override
    public long streamed() {
        return assembler.streamed();
    }
}
