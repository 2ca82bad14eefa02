package dev.sluice.handle;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;

/**
 * A stream socket that has no room until its peer receives.
 *
 * <p>With TCP a send that finds no room does not prove that the next one finds none: the peer acknowledges late (RFC
 * 1122, 4.2.3.2), and less than a segment is held back for a while before it goes into the rest of the peer's window
 * (4.2.3.4). Both make room, and neither tells when it is over. So the socket is filled while its buffer is large, and
 * then the buffer is made small: it holds more beyond its size than the peer can take, whatever is on its way.
 */
public final class FullSocket {

    /** What the peer has room for, and afterwards the sender; Linux takes it for half of the memory that it may use. */
    private static final int SMALL = 64 * 1024;
    private static final int LARGE = 4 * SMALL;

    private FullSocket() {
    }

    /**
     * Fills a socket for certain.
     *
     * @param sender   has no room afterwards, not for a single byte
     * @param receiver the other end, where nothing has been received
     * @return the number of bytes that it took
     */
    public static int fill(SocketStream sender, SocketStream receiver) throws IOException {
        if (sender.localAddress() instanceof UnixDomainSocketAddress) {
            // Each byte is at the peer as soon as it is sent, or not sent.
            return sendWhatFits(sender);
        }
        receiver.setOption(NativeSocketOptions.SO_RCVBUF, SMALL);
        sender.setOption(NativeSocketOptions.SO_SNDBUF, LARGE);
        int sum = sendWhatFits(sender);
        sender.setOption(NativeSocketOptions.SO_SNDBUF, SMALL);
        return sum;
    }

    /** Sends until the system takes no more for the moment. */
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
