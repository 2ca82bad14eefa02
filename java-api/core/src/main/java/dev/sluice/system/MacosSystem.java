package dev.sluice.system;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Errno;
import dev.sluice.calls.layout.BsdConstants;
import dev.sluice.calls.layout.FileConstants;
import dev.sluice.calls.layout.SocketConstants;
import dev.sluice.calls.layout.Stat;
import dev.sluice.handle.FileOption;
import java.nio.ByteBuffer;

/** macOS, which cannot open a descriptor as non-blocking and close-on-exec in one call. */
final class MacosSystem extends BsdSystem {

    private static final int LONGEST_DATAGRAM = 65_535;

    MacosSystem(Binding binding) {
        super(binding);
    }

    @Override
    public long openSocket(int family, int type) {
        int socket = posix.socket(family, type, 0);
        return socket < 0 ? socket : prepared(socket, opened -> prepare((int) opened, type));
    }

    private int prepare(int socket, int type) {
        int result = prepare(socket);
        if (result >= 0) {
            // MSG_NOSIGNAL came late to macOS.
            result = setsockopt(socket, SocketConstants.SOL_SOCKET, BsdConstants.SO_NOSIGPIPE, 1);
        }
        if (result >= 0 && type == SocketConstants.SOCK_DGRAM) {
            // The default does not allow datagrams as long as the protocol does.
            result = setsockopt(socket, SocketConstants.SOL_SOCKET, SocketConstants.SO_SNDBUF, LONGEST_DATAGRAM);
        }
        return result;
    }

    // It inherits SO_NOSIGPIPE, and must: a connection whose peer has already gone takes no more options.
    @Override
    public long accept(long listener, long address, long addressLength) {
        int socket = posix.accept((int) listener, address, addressLength);
        return socket < 0 ? socket : prepared(socket, accepted -> prepare((int) accepted));
    }

    private int prepare(int descriptor) {
        int result = posix.fcntl(descriptor, FileConstants.F_SETFD, FileConstants.FD_CLOEXEC);
        int flags = result < 0 ? result : posix.fcntl(descriptor, FileConstants.F_GETFL, 0);
        return flags < 0 ? flags : posix.fcntl(descriptor, FileConstants.F_SETFL, flags | FileConstants.O_NONBLOCK);
    }

    /**
     * When the peer has closed the connection, the socket counts as unconnected here; on other systems a shutdown then
     * succeeds.
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
    public long sendFile(long socket, long file, long position, long count, ByteBuffer room, int at, long address) {
        room.putLong(at, count);
        int result = count == 0 ? 0 : bsd.sendfile((int) file, (int) socket, position, address, 0, 0);
        // Other errors leave the count as it was.
        return sentOr(result, room.getLong(at));
    }

    @Override
    int prepareFile(int file, int directory, Scratch scratch, OpenOptions options) {
        int result = options.has(FileOption.DIRECT) ? posix.fcntl(file, BsdConstants.F_NOCACHE, 1) : 0;
        return result < 0 ? result : super.prepareFile(file, directory, scratch, options);
    }

    // What is not aligned goes through the cache, and is only slower for that.
    @Override
    public int directAlignment(long file, Scratch scratch) {
        int result = bsd.fstat((int) file, scratch.address(Scratch.VECTOR));
        int block = scratch.memory().getInt(Scratch.VECTOR + Stat.BLOCK_SIZE);
        return result < 0 ? result : scratch.direct(1, block, block);
    }

    // fsync and fdatasync leave what is written in the drive's own cache. Not every file system offers more than that.
    @Override
    public int force(long file) {
        int result = posix.fcntl((int) file, BsdConstants.F_FULLFSYNC, 0);
        return result < 0 ? super.force(file) : result;
    }

    @Override
    public int forceData(long file) {
        return force(file);
    }
}
