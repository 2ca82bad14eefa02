package dev.sluice.jna;

import com.sun.jna.Native;
import dev.sluice.calls.Linux;

/** {@link Linux} over JNA. */
final class JnaLinux implements Linux {

    /** The functions themselves, by direct mapping: JNA binds each native method to the C function of its name. */
    private static final class C {

        static {
            Native.register(C.class, "c");
        }

        static native int epoll_create1(int flags);

        static native int epoll_ctl(int epfd, int operation, int fd, long event);

        static native int epoll_wait(int epfd, long events, int maximum, int timeoutMillis);

        static native int eventfd(int initial, int flags);

        static native int accept4(int fd, long address, long addressLength, int flags);

        static native int pipe2(long descriptors, int flags);

        static native long sendfile(int out, int in, long offset, long count);
    }

    @Override
    public int epoll_create1(int flags) {
        int result = C.epoll_create1(flags);
        return result != -1 ? result : -Native.getLastError();
    }

    @Override
    public int epoll_ctl(int epfd, int operation, int fd, long event) {
        int result = C.epoll_ctl(epfd, operation, fd, event);
        return result != -1 ? result : -Native.getLastError();
    }

    @Override
    public int epoll_wait(int epfd, long events, int maximum, int timeoutMillis) {
        int result = C.epoll_wait(epfd, events, maximum, timeoutMillis);
        return result != -1 ? result : -Native.getLastError();
    }

    @Override
    public int eventfd(int initial, int flags) {
        int result = C.eventfd(initial, flags);
        return result != -1 ? result : -Native.getLastError();
    }

    @Override
    public int accept4(int fd, long address, long addressLength, int flags) {
        int result = C.accept4(fd, address, addressLength, flags);
        return result != -1 ? result : -Native.getLastError();
    }

    @Override
    public int pipe2(long descriptors, int flags) {
        int result = C.pipe2(descriptors, flags);
        return result != -1 ? result : -Native.getLastError();
    }

    @Override
    public long sendfile(int out, int in, long offset, long count) {
        long result = C.sendfile(out, in, offset, count);
        return result != -1 ? result : -Native.getLastError();
    }
}
