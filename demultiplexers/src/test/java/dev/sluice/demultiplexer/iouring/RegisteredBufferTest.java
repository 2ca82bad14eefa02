package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_READ;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_READ_FIXED;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_WRITE;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_WRITE_FIXED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.operation.ProvidedBuffers;
import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.demultiplexer.spi.Completions;
import dev.sluice.demultiplexer.spi.Operation;
import dev.sluice.handle.FaultInjection;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.FileOption;
import dev.sluice.handle.LeakChecked;
import dev.sluice.handle.LockableMemory;
import dev.sluice.handle.ScarceMemory;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The requests that the kernel gets for memory that is registered, and what it does not register. */
@EnabledIfIoUring
@Timeout(60)
class RegisteredBufferTest extends LeakChecked {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private RewrittenCompletions requests;
    private FaultInjection calls;
    private IoUringDemultiplexer demultiplexer;
    private Completions completions;
    private FileHandle file;
    private Association where;
    private ByteBuffer memory;
    private int unit;

    @TempDir
    Path directory;

    @BeforeEach
    void open() throws IOException {
        requests = RewrittenCompletions.install();
        calls = FaultInjection.install();
        demultiplexer = new IoUringDemultiplexer(
                new IoUringSize(64, 128, ProvidedBuffers.Size.DEFAULT, IoUringSize.NEVER), false);
        completions = own(demultiplexer.newCompletions(64));
        file = FileHandle.open(directory.resolve("file"), StandardOpenOption.READ, StandardOpenOption.WRITE,
                StandardOpenOption.CREATE_NEW, FileOption.DIRECT);
        unit = Math.max(file.directAlignment().write(), file.directAlignment().memory());
        memory = file.directAlignment().allocate(4 * unit);
        where = demultiplexer.associate(file.handle());
        // The first wait enables the ring.
        demultiplexer.awaitCompletions(completions, 0);
    }

    @AfterEach
    void close() {
        demultiplexer.close();
        file.close();
        calls.close();
        requests.close();
    }

    private long result(Consumer<Operation> start) throws IOException {
        start.accept(demultiplexer.newOperation());
        assertEquals(1, demultiplexer.awaitCompletions(completions, PATIENCE.toNanos()));
        return completions.result(0);
    }

    private void awaitRegistration() throws IOException {
        assertEquals(0, demultiplexer.awaitCompletions(completions, 0));
    }

    private Closeable register() throws IOException {
        Closeable registration = demultiplexer.registerBuffer(memory);
        awaitRegistration();
        if (!LockableMemory.isEnoughFor(IoUringDemultiplexer.NAME)) {
            assumeTrue(demultiplexer.registeredBytes() > 0, "not available here");
        }
        assertEquals(memory.remaining(), demultiplexer.registeredBytes());
        return registration;
    }

    @Test
    void requestsNameTheRegisteredBuffer() throws IOException {
        Closeable registration = register();
        assertEquals(2L * unit, result(o -> o.write(where, memory.slice(unit, 2 * unit), 0)));
        assertEquals(unit, result(o -> o.writeAndForceData(where, memory.slice(0, unit), 2L * unit)));
        assertEquals(3L * unit, result(o -> o.read(where, memory.slice(0, 4 * unit), 0)));
        assertEquals(2, requests.submitted(IORING_OP_WRITE_FIXED));
        assertEquals(0, requests.submitted(IORING_OP_WRITE));
        assertEquals(1, requests.submitted(IORING_OP_READ_FIXED));
        registration.close();
        awaitRegistration();
        int before = requests.submitted(IORING_OP_READ);
        assertEquals(3L * unit, result(o -> o.read(where, memory.slice(0, 4 * unit), 0)));
        assertEquals(1, requests.submitted(IORING_OP_READ_FIXED));
        assertEquals(before + 1, requests.submitted(IORING_OP_READ));
    }

    @Test
    void refusedRequestsAreRepeatedWithoutIt() throws IOException {
        register();
        requests.next(IORING_OP_WRITE_FIXED, result -> -Errno.EFAULT.number())
                .next(IORING_OP_WRITE_FIXED, result -> -Errno.EFAULT.number())
                .next(IORING_OP_READ_FIXED, result -> -Errno.EFAULT.number());
        assertEquals(unit, result(o -> o.write(where, memory.slice(0, unit), 0)));
        Operation write = demultiplexer.newOperation();
        for (int start = 1; start <= 2; start++) {
            assertEquals(unit, result(o -> write.writeAndForceData(where, memory.slice(0, unit), 0)));
            assertEquals(1 + start, requests.submitted(IORING_OP_WRITE_FIXED));
        }
        Operation read = demultiplexer.newOperation();
        assertEquals(unit, result(o -> read.read(where, memory.slice(0, unit), 0)));
        assertEquals(2, requests.submitted(IORING_OP_WRITE));
        // Only that request.
        assertEquals(unit, result(o -> read.read(where, memory.slice(0, unit), 0)));
        assertEquals(2, requests.submitted(IORING_OP_READ_FIXED));
        // An error of the memory is final.
        requests.next(IORING_OP_READ_FIXED, result -> -Errno.EFAULT.number())
                .next(IORING_OP_READ, result -> -Errno.EFAULT.number());
        assertEquals(-Errno.EFAULT.number(), result(o -> read.read(where, memory.slice(0, unit), 0)));
    }

    @Test
    void goesOnUnregisteredIfTheKernelRefuses() throws IOException {
        for (int call = 1; call <= 2; call++) {
            calls.failNth("io_uring_register", call, Errno.ENOMEM);
            Closeable refused = demultiplexer.registerBuffer(memory);
            awaitRegistration();
            assertEquals(0, demultiplexer.registeredBytes());
            assertEquals(unit, result(o -> o.write(where, memory.slice(0, unit), 0)));
            refused.close();
        }
        assertEquals(0, requests.submitted(IORING_OP_WRITE_FIXED));
        assertEquals(2, requests.submitted(IORING_OP_WRITE));
        register();
        assertEquals(4L * unit, demultiplexer.registeredBytes());
    }

    @Test
    void releaseNeedsNoMemory() throws IOException {
        AtomicBoolean scarce = new AtomicBoolean();
        Binding before = Bindings.current();
        Bindings.use(ScarceMemory.of(before, scarce::get));
        try {
            Closeable registration = register();
            scarce.set(true);
            registration.close();
            awaitRegistration();
            assertEquals(0, demultiplexer.registeredBytes());
        } finally {
            Bindings.use(before);
        }
    }

    /** A kernel whose ring belongs to its thread lets no other one release a buffer. */
    @Test
    void closeByAnotherThreadReleasesNoneByItself() throws Exception {
        Closeable registration = register();
        Closeable other = demultiplexer.registerBuffer(memory.duplicate());
        int before = calls.calls("io_uring_register");
        registration.close();
        FutureTask<?> closing = new FutureTask<>(demultiplexer::close, null);
        new Thread(closing).start();
        closing.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertEquals(before, calls.calls("io_uring_register"));
        assertEquals(0, demultiplexer.registeredBytes());
        other.close();
    }

    /** The kernel keeps the pages then, and the entry is not used again. */
    @Test
    void isNotUsedAfterAReleaseThatFails() throws IOException {
        Closeable registration = register();
        calls.failNth("io_uring_register", 1, Errno.EBUSY);
        registration.close();
        awaitRegistration();
        assertEquals(0, demultiplexer.registeredBytes());
        assertEquals(unit, result(o -> o.write(where, memory.slice(0, unit), 0)));
        assertEquals(1, requests.submitted(IORING_OP_WRITE));
        register();
        assertEquals(unit, result(o -> o.write(where, memory.slice(0, unit), 0)));
        assertEquals(1, requests.submitted(IORING_OP_WRITE_FIXED));
    }
}
