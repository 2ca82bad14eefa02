package dev.sluice.system;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Errno;
import dev.sluice.calls.layout.BsdConstants;
import dev.sluice.calls.layout.FileConstants;
import dev.sluice.calls.layout.SocketConstants;
import java.nio.ByteBuffer;
import java.util.function.LongToIntFunction;

/** macOS, which cannot open a descriptor as non-blocking and close-on-exec in one call. */
final class MacosSystem extends MacosFiles {

    private static final int MAX_DATAGRAM_SIZE = 65_535;

    private final LongToIntFunction accepted = socket -> prepare((int) socket);

    MacosSystem(Binding binding) {
        super(binding);
    }

    @Override
    public long openSocket(int family, int type) {
        // Created before the descriptor, which would stay open if there were no memory for this afterwards.
        LongToIntFunction preparation = opened -> prepare((int) opened, type);
        int socket = posix.socket(family, type, 0);
        return socket < 0 ? socket : prepared(socket, preparation);
    }

    private int prepare(int socket, int type) {
        int result = prepare(socket);
        if (result >= 0) {
            // Older versions of macOS lack MSG_NOSIGNAL.
            result = setsockopt(socket, SocketConstants.SOL_SOCKET, BsdConstants.SO_NOSIGPIPE, 1);
        }
        if (result >= 0 && type == SocketConstants.SOCK_DGRAM) {
            // The default does not allow datagrams as long as the protocol does.
            result = setsockopt(socket, SocketConstants.SOL_SOCKET, SocketConstants.SO_SNDBUF, MAX_DATAGRAM_SIZE);
        }
        return result;
    }

    // The socket inherits SO_NOSIGPIPE. It could not be set here, because setting options fails if the peer has already
    // closed the connection.
    @Override
    public long accept(long listener, long address, long addressLength) {
        int socket = posix.accept((int) listener, address, addressLength);
        return socket < 0 ? socket : prepared(socket, accepted);
    }

    private int prepare(int descriptor) {
        int result = posix.fcntl(descriptor, FileConstants.F_SETFD, FileConstants.FD_CLOEXEC);
        int flags = result < 0 ? result : posix.fcntl(descriptor, FileConstants.F_GETFL, 0);
        return flags < 0 ? flags : posix.fcntl(descriptor, FileConstants.F_SETFL, flags | FileConstants.O_NONBLOCK);
    }

    /**
     * Hides {@code ENOTCONN}: on macOS a socket whose peer has closed the connection counts as unconnected, while on
     * other systems a shutdown succeeds.
     */
    @Override
    public int shutdown(long socket, int how) {
        int result = super.shutdown(socket, how);
        return Errno.ENOTCONN.is(result) ? 0 : result;
    }

    @Override
    int pipe(Scratch scratch) {
        int result = posix.pipe(scratch.address(Scratch.VALUE));
        if (result < 0) {
            return result;
        }
        int source = scratch.memory().getInt(Scratch.VALUE);
        int sink = scratch.memory().getInt(Scratch.VALUE + Integer.BYTES);
        result = -1;
        try {
            result = prepare(source);
            result = result < 0 ? result : prepare(sink);
        } finally {
            if (result < 0) {
                close(source, false);
                close(sink, false);
            }
        }
        return result;
    }

    @Override
    public long sendFile(long socket, long file, long position, long count, ByteBuffer arguments, int at,
            long address) {
        arguments.putLong(at, count);
        int result = count == 0 ? 0 : bsd.sendfile((int) file, (int) socket, position, address, 0, 0);
        // Other errors do not change the count.
        return sentOr(result, arguments.getLong(at));
    }
}
