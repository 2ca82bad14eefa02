package dev.sluice.demultiplexer.afd;

import dev.sluice.calls.layout.IoStatusBlock;
import dev.sluice.calls.layout.Win32Constants;
import dev.sluice.demultiplexer.spi.EventType;
import java.nio.ByteBuffer;

/**
 * A poll request for one socket, with its outcome. No public header has the layout. The request consists of the
 * timeout, the number of sockets, whether it ends other requests for the same socket, and for each socket its handle,
 * events and status.
 */
public final class AfdPollInfo {

    static final int STATUS_BLOCK = 0;
    static final int INFO = STATUS_BLOCK + IoStatusBlock.SIZE;
    static final int INFO_SIZE = 32;
    /** The status block of the call that cancels the request. */
    static final int CANCEL_STATUS_BLOCK = INFO + INFO_SIZE;
    /** The total size in bytes. */
    public static final int SIZE = CANCEL_STATUS_BLOCK + IoStatusBlock.SIZE;

    /** The offset of the socket. */
    public static final int HANDLE = INFO + 16;

    static final int IOCTL_AFD_POLL = 0x12024;

    private static final int TIMEOUT = INFO;
    private static final int NUMBER_OF_HANDLES = INFO + 8;
    private static final int EXCLUSIVE = INFO + 12;
    private static final int EVENTS = HANDLE + 8;
    private static final int STATUS = HANDLE + 12;

    private static final int RECEIVE = 1;
    private static final int RECEIVE_EXPEDITED = 1 << 1;
    private static final int SEND = 1 << 2;
    private static final int DISCONNECT = 1 << 3;
    private static final int ABORT = 1 << 4;
    private static final int LOCAL_CLOSE = 1 << 5;
    private static final int ACCEPT = 1 << 7;
    private static final int CONNECT_FAIL = 1 << 8;

    private static final int FAILED = ABORT | LOCAL_CLOSE | CONNECT_FAIL;

    private AfdPollInfo() {
    }

    /**
     * Fills in a request without a timeout.
     *
     * @param memory the memory that holds it
     * @param at     the offset in that memory
     * @param socket the socket of the base provider
     * @param events bits of {@link EventType#IO}
     */
    public static void set(ByteBuffer memory, int at, long socket, int events) {
        memory.putLong(at + TIMEOUT, Long.MAX_VALUE);
        memory.putInt(at + NUMBER_OF_HANDLES, 1);
        memory.putInt(at + EXCLUSIVE, 0);
        memory.putLong(at + HANDLE, socket);
        memory.putInt(at + EVENTS, toAfd(events));
        memory.putInt(at + STATUS, 0);
    }

    private static int toAfd(int events) {
        return FAILED
                | ((events & EventType.READ) != 0 ? RECEIVE | ACCEPT | DISCONNECT : 0)
                | ((events & EventType.WRITE) != 0 ? SEND : 0)
                | ((events & EventType.EXCEPTION) != 0 ? RECEIVE_EXPEDITED : 0);
    }

    /**
     * {@return the events that a completed request has found: none if it was cancelled, all if the socket has failed}
     *
     * @param memory the memory that holds it
     * @param at     the offset in that memory
     */
    public static int events(ByteBuffer memory, int at) {
        int status = memory.getInt(at + STATUS_BLOCK + IoStatusBlock.STATUS);
        // A cancelled request is unchanged.
        if (status == Win32Constants.STATUS_CANCELLED || memory.getInt(at + NUMBER_OF_HANDLES) == 0) {
            return 0;
        }
        int found = memory.getInt(at + EVENTS);
        if (status < 0 || (found & FAILED) != 0) {
            return EventType.IO;
        }
        return ((found & (RECEIVE | ACCEPT | DISCONNECT)) != 0 ? EventType.READ : 0)
                | ((found & SEND) != 0 ? EventType.WRITE : 0)
                | ((found & RECEIVE_EXPEDITED) != 0 ? EventType.EXCEPTION : 0);
    }
}
