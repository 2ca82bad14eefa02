package dev.sluice.calls;

import static dev.sluice.calls.layout.FileConstants.F_GETFL;
import static dev.sluice.calls.layout.FileConstants.MAP_SHARED;
import static dev.sluice.calls.layout.FileConstants.O_RDONLY;
import static dev.sluice.calls.layout.FileConstants.PROT_READ;
import static dev.sluice.calls.layout.FileConstants.SEEK_SET;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.sluice.calls.layout.FileConstants;
import dev.sluice.calls.layout.OpenHow;
import dev.sluice.calls.layout.Statx;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Errors come back negated, from every call, and never from another thread's. */
public abstract class ErrnoContract extends BindingContract {

    private static final int ROUNDS = 20_000;

    protected ErrnoContract(Binding binding) {
        super(binding);
    }

    @TestFactory
    Stream<DynamicTest> everyCallKnowsABadDescriptor() {
        return onDescriptor(-1, block(64).address()).entrySet().stream()
                .map(call -> dynamicTest(call.getKey(), () -> {
                    if (call.getKey().endsWith("msg")) {
                        Emulator.deviates("makes no call of a message without elements");
                    }
                    assertFails(Errno.EBADF, call.getValue().getAsLong());
                }));
    }

    private Map<String, LongSupplier> onDescriptor(int fd, long memory) {
        Map<String, LongSupplier> calls = new LinkedHashMap<>();
        calls.put("bind", () -> posix.bind(fd, memory, 16));
        calls.put("listen", () -> posix.listen(fd, 1));
        calls.put("accept", () -> posix.accept(fd, 0, 0));
        calls.put("connect", () -> posix.connect(fd, memory, 16));
        calls.put("getsockname", () -> posix.getsockname(fd, memory, memory));
        calls.put("getpeername", () -> posix.getpeername(fd, memory, memory));
        calls.put("getsockopt", () -> posix.getsockopt(fd, 1, 2, memory, memory));
        calls.put("setsockopt", () -> posix.setsockopt(fd, 1, 2, memory, 4));
        calls.put("shutdown", () -> posix.shutdown(fd, 0));
        calls.put("recv", () -> posix.recv(fd, memory, 1, 0));
        calls.put("send", () -> posix.send(fd, memory, 1, 0));
        calls.put("recvfrom", () -> posix.recvfrom(fd, memory, 1, 0, 0, 0));
        calls.put("sendto", () -> posix.sendto(fd, memory, 1, 0, memory, 16));
        calls.put("recvmsg", () -> posix.recvmsg(fd, memory, 0));
        calls.put("sendmsg", () -> posix.sendmsg(fd, memory, 0));
        calls.put("close", () -> posix.close(fd));
        calls.put("fcntl", () -> posix.fcntl(fd, F_GETFL, 0));
        calls.put("read", () -> posix.read(fd, memory, 1));
        calls.put("write", () -> posix.write(fd, memory, 1));
        calls.put("readv", () -> posix.readv(fd, memory, 1));
        calls.put("writev", () -> posix.writev(fd, memory, 1));
        calls.put("pread", () -> posix.pread(fd, memory, 1, 0));
        calls.put("pwrite", () -> posix.pwrite(fd, memory, 1, 0));
        calls.put("preadv", () -> posix.preadv(fd, memory, 1, 0));
        calls.put("pwritev", () -> posix.pwritev(fd, memory, 1, 0));
        calls.put("lseek", () -> posix.lseek(fd, 0, SEEK_SET));
        calls.put("ftruncate", () -> posix.ftruncate(fd, 0));
        calls.put("fsync", () -> posix.fsync(fd));
        calls.put("fdatasync", () -> posix.fdatasync(fd));
        calls.put("flock", () -> posix.flock(fd, FileConstants.LOCK_SH));
        long name = text("name").address();
        calls.put("openat", () -> posix.openat(fd, name, O_RDONLY, 0));
        calls.put("readlinkat", () -> posix.readlinkat(fd, name, memory, 1));
        calls.put("renameat", () -> posix.renameat(fd, name, fd, name));
        calls.put("unlinkat", () -> posix.unlinkat(fd, name, 0));
        calls.put("linkat", () -> posix.linkat(fd, name, fd, name, 0));
        calls.put("mkdirat", () -> posix.mkdirat(fd, name, 0700));
        calls.put("mmap", () -> posix.mmap(0, 1, PROT_READ, MAP_SHARED, fd, 0));
        if (Platform.CURRENT.isLinux()) {
            calls.put("epoll_ctl", () -> binding.linux().epoll_ctl(fd, 1, fd, memory));
            calls.put("epoll_wait", () -> binding.linux().epoll_wait(fd, memory, 1, 0));
            calls.put("statx", () -> binding.linux().statx(fd, name, 0, Statx.BASIC_STATS, memory));
            calls.put("fallocate", () -> binding.linux().fallocate(fd, 0, 0, 1));
            calls.put("posix_fadvise", () -> binding.linux().posix_fadvise(fd, 0, 1, 0));
            calls.put("sync_file_range", () -> binding.linux().sync_file_range(fd, 0, 1, 0));
            calls.put("copy_file_range", () -> binding.linux().copy_file_range(fd, 0, fd, 0, 1, 0));
            calls.put("preadv2", () -> binding.linux().preadv2(fd, memory, 1, 0, 0));
            calls.put("pwritev2", () -> binding.linux().pwritev2(fd, memory, 1, 0, 0));
            calls.put("renameat2", () -> binding.linux().renameat2(fd, name, fd, name, 0));
            calls.put("fcntl_lock", () -> binding.linux().fcntl_lock(fd, FileConstants.F_OFD_SETLK, memory));
            calls.put("openat2", () -> binding.linux().openat2(fd, name, memory, OpenHow.SIZE));
            calls.put("accept4", () -> binding.linux().accept4(fd, 0, 0, 0));
            calls.put("sendfile", () -> binding.linux().sendfile(fd, fd, 0, 1));
        }
        return calls;
    }

    @Test
    void belongsToTheThreadWhoseCallFailed() throws Exception {
        long missing = text("/no/such/file").address();
        Map<Errno, LongSupplier> failures = Map.of(
                Errno.EBADF, () -> posix.close(-1),
                Errno.ENOENT, () -> posix.open(missing, O_RDONLY, 0),
                Errno.EINVAL, () -> posix.mmap(0, 0, PROT_READ, MAP_SHARED, -1, 1));
        CountDownLatch start = new CountDownLatch(failures.size());
        ExecutorService threads = Executors.newFixedThreadPool(failures.size());
        try {
            List<Future<?>> running = new ArrayList<>();
            failures.forEach((error, call) -> running.add(threads.submit(() -> failManyTimes(error, call, start))));
            for (Future<?> thread : running) {
                thread.get();
            }
        } finally {
            threads.shutdown();
        }
    }

    private static Void failManyTimes(Errno error, LongSupplier call, CountDownLatch start) throws Exception {
        start.countDown();
        start.await();
        for (int round = 0; round < ROUNDS; round++) {
            assertFails(error, call.getAsLong());
        }
        return null;
    }

    @Test
    void successForgetsTheErrorBefore() {
        int[] pipe = pipe();
        assertFails(Errno.EBADF, posix.close(-1));
        ok(posix.fcntl(pipe[0], F_GETFL, 0));
        assertFails(Errno.ESPIPE, posix.lseek(pipe[0], 0, SEEK_SET));
    }
}
