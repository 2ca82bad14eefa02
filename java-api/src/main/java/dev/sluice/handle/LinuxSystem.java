package dev.sluice.handle;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Linux;
import dev.sluice.calls.layout.FileConstants;
import dev.sluice.calls.layout.SockaddrStorage;
import dev.sluice.calls.layout.SocketConstants;
import java.nio.ByteBuffer;

/** Linux. */
final class LinuxSystem extends UnixSystem {

    private static final int SOCKET_FLAGS = SocketConstants.SOCK_NONBLOCK | SocketConstants.SOCK_CLOEXEC;

    private final Linux linux;

    LinuxSystem(Binding binding) {
        super(binding);
        this.linux = binding.linux();
    }

    @Override
    public long openSocket(int family, int type) {
        return posix.socket(family, type | SOCKET_FLAGS, 0);
    }

    @Override
    public long accept(long listener, long address, long addressLength) {
        return linux.accept4((int) listener, address, addressLength, SOCKET_FLAGS);
    }

    @Override
    long receiveFrom(long socket, long address, long length, Scratch scratch) {
        scratch.memory().putInt(Scratch.LENGTH, SockaddrStorage.SIZE);
        return posix.recvfrom((int) socket, address, length, SocketConstants.MSG_TRUNC,
                scratch.address(Scratch.ADDRESS), scratch.address(Scratch.LENGTH));
    }

    @Override
    public long receiveMessage(long socket, long message, ByteBuffer memory, int at) {
        return posix.recvmsg((int) socket, message, SocketConstants.MSG_TRUNC);
    }

    @Override
    public long sendFile(long socket, long file, long position, long count, ByteBuffer room, int at, long address) {
        room.putLong(at, position);
        return linux.sendfile((int) socket, (int) file, address, count);
    }

    @Override
    int pipe(Scratch scratch) {
        return linux.pipe2(scratch.address(Scratch.VALUE), FileConstants.O_NONBLOCK | FileConstants.O_CLOEXEC);
    }
}
