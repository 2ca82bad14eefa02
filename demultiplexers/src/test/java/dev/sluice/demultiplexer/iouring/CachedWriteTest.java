package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_WRITE;
import static dev.sluice.handle.Bytes.assertBytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.operation.CachedTransfers;
import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.demultiplexer.spi.Completions;
import dev.sluice.demultiplexer.spi.Operation;
import dev.sluice.handle.Bytes;
import dev.sluice.handle.FaultInjection;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.LeakChecked;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import dev.sluice.handle.SystemCallException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which writes to files become requests, and how many kernel threads execute these. */
@EnabledIfIoUring
@Timeout(60)
class CachedWriteTest extends LeakChecked {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    /** Maximum number of writes that complete without a poll of the system. */
    private static final int WITHOUT_POLL = 64;
    /** Maximum number of iterations without one. */
    private static final int ITERATIONS = 15;
    private static final int FILES = 12;
    private static final int ROUNDS = 3;

    @TempDir
    private Path directory;

    private RewrittenCompletions requests;
    private FaultInjection faults;

    @BeforeEach
    void install() {
        requests = own(RewrittenCompletions.install());
        faults = own(FaultInjection.install());
    }

    @AfterEach
    void clearProperties() {
        System.clearProperty(IoUringSize.WORKERS_PROPERTY);
        System.clearProperty(CachedTransfers.BYTES_PROPERTY);
    }

    private FileHandle open(StandardOpenOption... more) throws IOException {
        List<StandardOpenOption> options = new ArrayList<>(List.of(more));
        options.add(StandardOpenOption.CREATE);
        options.add(StandardOpenOption.WRITE);
        return own(FileHandle.open(directory.resolve("file"), options.toArray(StandardOpenOption[]::new)));
    }

    /** Writes some bytes, and asserts how many requests that takes. */
    private void assertRequests(int expected, StandardOpenOption... options) throws IOException {
        IoUringDemultiplexer demultiplexer = own(new IoUringDemultiplexer());
        Completions completions = own(demultiplexer.newCompletions(1));
        Association where = demultiplexer.associate(open(options).handle());
        Operation write = demultiplexer.newOperation();
        int before = requests.submitted(IORING_OP_WRITE);
        write.write(where, Bytes.direct(Bytes.random(100)), 0);
        assertTrue(write.isInFlight(), "completed within its start");
        assertEquals(1, demultiplexer.awaitCompletions(completions, PATIENCE.toNanos()));
        assertEquals(100, completions.result(0));
        assertEquals(expected, requests.submitted(IORING_OP_WRITE) - before);
    }

    @Test
    void writeThatNeedNotWaitIsNoRequest() throws IOException {
        faults.returnNth("pwritev2", 1, 100);
        assertRequests(0);
    }

    @Test
    void restOfAWriteIsARequest() throws IOException {
        faults.returnNth("pwritev2", 1, 40).failNth("pwritev2", 2, Errno.EAGAIN);
        assertRequests(1);
        byte[] expected = Bytes.random(100);
        Arrays.fill(expected, 0, 40, (byte) 0);
        assertBytes(expected, Files.readAllBytes(directory.resolve("file")));
    }

    /** Some kernels report an error with the flag where nothing is wrong. */
    @Test
    void writeThatFailsWithTheFlagIsARequest() throws IOException {
        faults.failNth("pwritev2", 1, Errno.EIO);
        assertRequests(1);
        assertBytes(Bytes.random(100), Files.readAllBytes(directory.resolve("file")));
    }

    @Test
    void synchronousWriteIsARequest() throws IOException {
        assertRequests(1, StandardOpenOption.DSYNC);
        assertEquals(0, faults.calls("pwritev2"));
    }

    @Test
    void propertyLeavesAllToTheKernel() throws IOException {
        System.setProperty(CachedTransfers.BYTES_PROPERTY, "0");
        assertRequests(1);
        System.setProperty(CachedTransfers.BYTES_PROPERTY, "-1");
        assertTrue(assertThrows(IllegalArgumentException.class, IoUringDemultiplexer::new).getMessage()
                .contains(CachedTransfers.BYTES_PROPERTY));
    }

    /** Where the cache takes all writes, several iterations pass without an {@code io_uring_enter}. */
    @ParameterizedTest
    @ValueSource(ints = {1, 8})
    void socketIsServedWhileWritesGoOn(int inFlight) throws IOException {
        IoUringDemultiplexer demultiplexer = own(new IoUringDemultiplexer());
        Completions completions = own(demultiplexer.newCompletions(64));
        SocketAcceptor acceptor = own(SocketAcceptor.open(new InetSocketAddress("127.0.0.1", 0)));
        SocketStream far = own(SocketConnector.connect(acceptor.localAddress(), PATIENCE));
        SocketStream near = own(acceptor.accept(PATIENCE));
        Association where = demultiplexer.associate(open().handle());
        Map<Operation, ByteBuffer> writes = new HashMap<>();
        for (int i = 0; i < inFlight; i++) {
            writes.put(demultiplexer.newOperation(), ByteBuffer.allocateDirect(100));
        }
        writes.forEach((write, buffer) -> write.write(where, buffer, 0));
        Operation receive = demultiplexer.newOperation();
        receive.receive(demultiplexer.associate(near.handle()), ByteBuffer.allocateDirect(1));
        boolean sent = false;
        int polls = faults.calls("io_uring_enter");
        int completed = 0;
        int iterations = 0;
        while (receive.isInFlight()) {
            demultiplexer.awaitCompletions(completions, PATIENCE.toNanos());
            for (int i = 0; i < completions.size(); i++) {
                ByteBuffer buffer = writes.get(completions.operation(i));
                if (buffer != null) {
                    assertEquals(100, completions.result(i));
                    completed++;
                    completions.operation(i).write(where, buffer.clear(), 0);
                }
            }
            iterations++;
            if (faults.calls("io_uring_enter") != polls) {
                polls = faults.calls("io_uring_enter");
                iterations = 0;
                completed = 0;
            }
            assertTrue(iterations <= ITERATIONS, iterations + " iterations have not polled");
            // Those of the iteration that polls come in addition.
            assertTrue(completed <= WITHOUT_POLL + inFlight, completed + " writes have completed without a poll");
            // The byte comes when the kernel has delivered it, with the next poll or a later one.
            if (!sent) {
                sent = true;
                far.send(ByteBuffer.allocate(1));
            }
        }
    }

    // Kernel threads

    /** In a thread of its own, because they belong to the thread that submits requests. */
    @Test
    void numberOfKernelThreadsForFilesIsLimited() throws Exception {
        System.setProperty(IoUringSize.WORKERS_PROPERTY, "2");
        FutureTask<Integer> most = new FutureTask<>(this::maxWorkers);
        new Thread(most).start();
        assertTrue(most.get() <= 2, () -> most + " threads at once");
    }

    private int maxWorkers() throws IOException {
        String name = "iou-wrk-" + Path.of("/proc/thread-self").toRealPath().getFileName();
        try (IoUringDemultiplexer demultiplexer = new IoUringDemultiplexer();
                Completions completions = demultiplexer.newCompletions(64)) {
            List<Association> files = new ArrayList<>();
            for (int i = 0; i < FILES; i++) {
                FileHandle file = FileHandle.open(directory.resolve("file" + i), StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE);
                files.add(demultiplexer.associate(own(file).handle()));
            }
            int most = 0;
            for (int round = 0; most < 1 || round < ROUNDS; round++) {
                files.forEach(file -> demultiplexer.newOperation().force(file));
                do {
                    demultiplexer.awaitCompletions(completions, 0);
                    most = Math.max(most, workers(name));
                } while (demultiplexer.inFlight() > 0);
            }
            return most;
        }
    }

    /** {@return the number of kernel threads of this process with the given name} */
    private static int workers(String name) throws IOException {
        try (Stream<Path> tasks = Files.list(Path.of("/proc/self/task"))) {
            return (int) tasks.filter(task -> name(task).strip().equals(name)).count();
        }
    }

    private static String name(Path task) {
        try {
            return Files.readString(task.resolve("comm"));
        } catch (IOException e) {
            // It has ended.
            return "";
        }
    }

    @Test
    void kernelThatCannotLimitItsThreadsSaysSo() {
        System.setProperty(IoUringSize.WORKERS_PROPERTY, "2");
        faults.failNth("io_uring_register", 2, Errno.EINVAL);
        SystemCallException refusal = assertThrows(SystemCallException.class, IoUringDemultiplexer::new);
        assertTrue(refusal.getMessage().contains("maximum number of workers"), refusal.getMessage());
        System.setProperty(IoUringSize.WORKERS_PROPERTY, "0");
        assertTrue(assertThrows(IllegalArgumentException.class, IoUringDemultiplexer::new).getMessage()
                .contains(IoUringSize.WORKERS_PROPERTY));
    }
}
