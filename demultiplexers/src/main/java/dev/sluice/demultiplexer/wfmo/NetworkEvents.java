package dev.sluice.demultiplexer.wfmo;

import dev.sluice.calls.layout.WinsockConstants;
import dev.sluice.demultiplexer.EventType;

/** Which network events may make a socket ready. */
final class NetworkEvents {

    /** The end of the connection or of the attempt to make one, after which a socket is ready for everything. */
    private static final int ENDS = WinsockConstants.FD_CLOSE | WinsockConstants.FD_CONNECT;

    private NetworkEvents() {
    }

    /** {@return bits of {@code WSAEventSelect} for those of {@link EventType#IO}} */
    static int of(int events) {
        return (events == 0 ? 0 : ENDS)
                | ((events & EventType.READ) != 0 ? WinsockConstants.FD_READ | WinsockConstants.FD_ACCEPT : 0)
                | ((events & EventType.WRITE) != 0 ? WinsockConstants.FD_WRITE : 0)
                | ((events & EventType.EXCEPTION) != 0 ? WinsockConstants.FD_OOB : 0);
    }
}
