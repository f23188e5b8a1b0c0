package io.multimed.engine.mariadb.relay;

/** The receiver of the relay's notifications. Every call comes from the relay's thread: implementations hand over and return. */
public interface BinlogListener {
    /** Reports that the relay streams; the floor follows once it has caught up. */
    void masterConnected();

    /** Reports that the connection to the Master is gone and the floor unknown; the relay tries again by itself. */
    void masterLost(String reason);

    /** Reports that the relay cannot go on with this Master and does not try again until {@link BinlogRelay#resume}. */
    void masterUnusable(String reason);
}
