package dev.sluice.recipes;

import static dev.sluice.calls.layout.EpollConstants.EPOLLIN;
import static dev.sluice.calls.layout.EpollConstants.EPOLLOUT;
import static dev.sluice.calls.layout.EpollConstants.EPOLL_CTL_ADD;
import static dev.sluice.calls.layout.EpollConstants.EPOLL_CTL_MOD;
import static dev.sluice.calls.layout.SocketConstants.AF_INET;
import static dev.sluice.calls.layout.SocketConstants.MSG_NOSIGNAL;
import static dev.sluice.calls.layout.SocketConstants.MSG_PEEK;
import static dev.sluice.calls.layout.SocketConstants.SOCK_NONBLOCK;
import static dev.sluice.calls.layout.SocketConstants.SOCK_STREAM;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.layout.EpollEvent;
import dev.sluice.calls.layout.SockaddrIn;
import java.io.IOException;

/**
 * An echo server on epoll, by system calls alone. It only peeks at what a peer has sent, and takes as much of it as the
 * peer has accepted back: the rest stays in the kernel, which holds up a peer that does not read. If no descriptor is
 * left for a connection, no other one is accepted until one has ended, or nothing has happened for 100 ms.
 */
public final class EpollByHand {

    private static final Binding NATIVE = Bindings.current();
    private static final MemoryBlock READY = NATIVE.memory().allocate(64 * EpollEvent.SIZE);
    private static final MemoryBlock BYTES = NATIVE.memory().allocate(64 * 1024);
    private static final int EPOLL = NATIVE.linux().epoll_create1(0);
    private static final int LISTENING = NATIVE.posix().socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);

    public static void main(String[] args) throws IOException {
        BYTES.buffer().putShort(SockaddrIn.FAMILY, (short) AF_INET);
        BYTES.buffer().duplicate().putShort(SockaddrIn.PORT, (short) Integer.parseInt(args[0]));    // big-endian
        Errno.check("bind", NATIVE.posix().bind(LISTENING, BYTES.address(), SockaddrIn.SIZE));
        Errno.check("listen", NATIVE.posix().listen(LISTENING, 128));
        while (true) {
            int size = EpollEvent.SIZE * NATIVE.linux().epoll_wait(EPOLL, READY.address(), 64, 100);
            if (size == 0) {
                watch(LISTENING, EPOLLIN);
            }
            for (int at = 0; at < size; at += EpollEvent.SIZE) {
                int fd = (int) EpollEvent.data(READY.buffer(), at);
                echo(fd == LISTENING ? NATIVE.linux().accept4(fd, 0, 0, SOCK_NONBLOCK) : fd);
            }
        }
    }

    private static void echo(int fd) {
        long there = NATIVE.posix().recv(fd, BYTES.address(), BYTES.buffer().capacity(), MSG_PEEK);
        long sent = there > 0 ? NATIVE.posix().send(fd, BYTES.address(), there, MSG_NOSIGNAL) : there;
        NATIVE.posix().recv(fd, BYTES.address(), Math.max(0, sent), 0);
        if (there == 0 || sent < 0 && Errno.of(sent) != Errno.EAGAIN) {
            NATIVE.posix().close(fd);
            watch(LISTENING, fd < 0 ? 0 : EPOLLIN);         // there is no descriptor, or there is one again
        } else {
            watch(fd, sent < there ? EPOLLOUT : EPOLLIN);
        }
    }

    private static void watch(int fd, int events) {
        EpollEvent.set(BYTES.buffer(), 0, events, fd);
        if (NATIVE.linux().epoll_ctl(EPOLL, EPOLL_CTL_MOD, fd, BYTES.address()) < 0) {
            NATIVE.linux().epoll_ctl(EPOLL, EPOLL_CTL_ADD, fd, BYTES.address());
        }
    }
}
