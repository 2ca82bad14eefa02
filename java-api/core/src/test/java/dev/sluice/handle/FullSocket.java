package dev.sluice.handle;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;

/**
 * A stream socket that takes no bytes until its peer receives.
 *
 * <p>With TCP, one send that would block does not prove that the next one would: the peer delays acknowledgments (RFC
 * 1122, 4.2.3.2), and less than a segment is held back for a while before it is sent into the rest of the peer's window
 * (4.2.3.4). Both free space, at an unknown time. So the socket is filled while its buffer is large, and then the
 * buffer is made small: its contents then exceed its size by more than the peer can take.
 */
public final class FullSocket {

    /** The buffer size of the peer, and afterwards of the sender; Linux allows twice the memory. */
    private static final int SMALL = 64 * 1024;
    private static final int LARGE = 4 * SMALL;

    private FullSocket() {
    }

    /**
     * Fills a socket reliably.
     *
     * @param sender   the socket to fill, which then takes not a single byte
     * @param receiver the other end, which has not received anything
     * @return the number of bytes that it took
     */
    public static int fill(SocketStream sender, SocketStream receiver) throws IOException {
        if (sender.localAddress() instanceof UnixDomainSocketAddress) {
            // Each byte sent is at the peer immediately.
            return sendWhatFits(sender);
        }
        receiver.setOption(NativeSocketOptions.SO_RCVBUF, SMALL);
        sender.setOption(NativeSocketOptions.SO_SNDBUF, LARGE);
        int sum = sendWhatFits(sender);
        sender.setOption(NativeSocketOptions.SO_SNDBUF, SMALL);
        return sum;
    }

    /** Sends until a send would block. */
    private static int sendWhatFits(SocketStream sender) throws IOException {
        ByteBuffer piece = ByteBuffer.allocateDirect(SMALL);
        int sum = 0;
        int sent;
        do {
            sent = sender.send(piece.clear());
            sum += sent;
        } while (sent > 0);
        return sum;
    }
}
