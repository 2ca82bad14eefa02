package dev.sluice.handle;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Errno;
import dev.sluice.calls.layout.BsdConstants;
import dev.sluice.calls.layout.FileConstants;
import dev.sluice.calls.layout.SocketConstants;
import java.nio.ByteBuffer;

/** macOS, which opens nothing non-blocking or unheritable at once. */
final class MacosSystem extends BsdSystem {

    MacosSystem(Binding binding) {
        super(binding);
    }

    @Override
    public long openSocket(int family, int type) {
        return prepareSocket(posix.socket(family, type, 0));
    }

    @Override
    public long accept(long listener, long address, long addressLength) {
        return prepareSocket(posix.accept((int) listener, address, addressLength));
    }

    private int prepareSocket(int socket) {
        if (socket < 0) {
            return socket;
        }
        int result = prepare(socket);
        result = result < 0 ? result : suppressSignal(socket);
        if (result < 0) {
            posix.close(socket);
            // A connection that was reset before it was accepted takes no options any more.
            return Errno.EINVAL.is(result) ? -Errno.ECONNABORTED.number() : result;
        }
        return socket;
    }

    private int prepare(int descriptor) {
        int result = posix.fcntl(descriptor, FileConstants.F_SETFD, FileConstants.FD_CLOEXEC);
        return result < 0 ? result : makeNonBlocking(descriptor);
    }

    // MSG_NOSIGNAL came late to macOS.
    private int suppressSignal(int socket) {
        Scratch scratch = Scratch.current(binding);
        scratch.memory().putInt(Scratch.VALUE, 1);
        return posix.setsockopt(socket, SocketConstants.SOL_SOCKET, BsdConstants.SO_NOSIGPIPE,
                scratch.address(Scratch.VALUE), Integer.BYTES);
    }

    @Override
    int pipe(Scratch scratch) {
        int result = posix.pipe(scratch.address(Scratch.VALUE));
        if (result < 0) {
            return result;
        }
        int source = scratch.memory().getInt(Scratch.VALUE);
        int sink = scratch.memory().getInt(Scratch.VALUE + Integer.BYTES);
        result = prepare(source);
        result = result < 0 ? result : prepare(sink);
        if (result < 0) {
            posix.close(source);
            posix.close(sink);
        }
        return result;
    }

    @Override
    public long sendFile(long socket, long file, long position, long count, ByteBuffer room, int at, long address) {
        room.putLong(at, count);
        int result = count == 0 ? 0 : bsd.sendfile((int) file, (int) socket, position, address, 0, 0);
        // Other errors leave the count as it was.
        return sentOr(result, room.getLong(at));
    }

    // fsync leaves what is written in the drive's own memory. Not every file system has more to offer.
    @Override
    public int force(long file) {
        int result = posix.fcntl((int) file, BsdConstants.F_FULLFSYNC, 0);
        return result < 0 ? super.force(file) : result;
    }
}
