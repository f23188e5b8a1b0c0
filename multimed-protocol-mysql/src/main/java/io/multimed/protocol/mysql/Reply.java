package io.multimed.protocol.mysql;

/** First bytes of a server's messages. */
public final class Reply {
    public static final int OK = 0x00;
    public static final int LOCAL_FILE = 0xfb;
    /** EOF, OK at the end of rows, or a request for another authentication. */
    public static final int EOF = 0xfe;

    public static final int ERR = 0xff;

    private Reply() {}
}
