package dev.sluice.demultiplexer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.Completions;
import dev.sluice.demultiplexer.spi.Operation;
import dev.sluice.handle.Bytes;
import dev.sluice.handle.FaultInjection;
import dev.sluice.handle.FileHandle;
import dev.sluice.testing.Depth;
import dev.sluice.testing.Pause;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The order of a force and of writes, which shows in what the file holds when a call begins that forces it, or submits
 * requests to io_uring. What the kernel does with linked requests does not show; that they are linked is tested there.
 */
@Tag(Depth.TRANSFER)
@EnabledOnOs(OS.LINUX)
abstract class FileOrderContract extends OperationContract {

    private static final String FLUSH = "FlushFileBuffers";
    private static final Set<String> FORCES = CalledSystem.isWindows() ? Set.of(FLUSH)
            : Set.of("fsync", "fdatasync", "io_uring_enter");
    private static final int ROUNDS = 3;
    private static final int WRITES = 8;

    private Path path;

    FileOrderContract(AsynchronousMechanism mechanism) {
        super(mechanism);
    }

    @BeforeEach
    final void createFile() throws IOException {
        path = Files.createFile(directory.resolve("file"));
    }

    private byte[] content() {
        try {
            return Files.readAllBytes(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes bytes that are not zero, each at the position that is its index, and forces while some are in flight. */
    private final class Writer {

        private final AsynchronousEventDemultiplexer writing;
        private final Completions batch;
        private final Association where;
        private final Map<Operation, Integer> positions = new HashMap<>();
        /** The positions of the writes that had completed when the force was started; changed between forces. */
        private final List<Integer> covered = new ArrayList<>();
        /** The positions of the writes that have completed since then. */
        private final List<Integer> late = new ArrayList<>();
        private volatile boolean forcing;
        private volatile int looks;
        private volatile String lost = "";
        private int started;

        Writer(AsynchronousEventDemultiplexer writing, Completions batch, FileHandle file) throws IOException {
            this.writing = writing;
            this.batch = batch;
            this.where = writing.associate(file.handle());
        }

        void write() {
            Operation write = writing.newOperation();
            positions.put(write, started);
            ByteBuffer source = started % 2 == 0 ? ByteBuffer.allocate(1) : ByteBuffer.allocateDirect(1);
            write.write(where, source.put(0, (byte) 1), started++);
        }

        /** Collects completions once. Returns whether the operation is one of them. */
        boolean collects(Operation operation) throws IOException {
            int count = writing.awaitCompletions(batch, PATIENCE.toNanos());
            assertTrue(count > 0, "no completion");
            boolean found = false;
            List<Integer> completed = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                Integer position = positions.get(batch.operation(i));
                assertEquals(position == null ? 0 : 1, batch.result(i));
                found |= batch.operation(i) == operation;
                if (position != null) {
                    completed.add(position);
                }
            }
            // Not covered by a force that has been started.
            (forcing ? late : covered).addAll(completed);
            return found;
        }

        void force(boolean data) throws IOException {
            Operation force = writing.newOperation();
            forcing = true;
            force.start(data ? OperationType.FORCE_DATA : OperationType.FORCE, where);
            while (!collects(force)) {
                assertTrue(force.isInFlight());
            }
            forcing = false;
            covered.addAll(late);
            late.clear();
        }

        /** Called before each call that may begin a force. */
        void look() {
            if (!forcing) {
                return;
            }
            byte[] held = content();
            for (int position : covered) {
                if (position >= held.length || held[position] == 0) {
                    lost += " " + position;
                }
            }
            looks++;
        }
    }

    /** With DSYNC, the system executes each write, and otherwise the loop thread, where it may. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aForceBeginsBehindTheWritesThatCompletedBeforeItsStart(boolean synchronously) throws IOException {
        try (FaultInjection calls = FaultInjection.install();
                AsynchronousEventDemultiplexer writing = openSmall();
                Completions batch = writing.newCompletions(WRITES);
                FileHandle file = synchronously
                        ? FileHandle.open(path, StandardOpenOption.WRITE, StandardOpenOption.DSYNC)
                        : FileHandle.open(path, StandardOpenOption.WRITE)) {
            Writer writer = new Writer(writing, batch, file);
            FORCES.forEach(call -> calls.before(call, writer::look));
            for (int round = 0; round < ROUNDS; round++) {
                for (int i = 0; i < WRITES; i++) {
                    writer.write();
                }
                writer.collects(null);
                writer.force(round % 2 == 0);
            }
            assertTrue(writer.looks >= ROUNDS, () -> writer.looks + " looks");
            assertEquals("", writer.lost, "not in the file when it is forced");
            while (writing.inFlight() > 0) {
                writer.collects(null);
            }
        }
        byte[] held = content();
        assertEquals(ROUNDS * WRITES, held.length);
        for (byte each : held) {
            assertEquals(1, each);
        }
    }

    /** A heap buffer takes two attempts. */
    @Test
    void theForceOfAChainBeginsBehindItsWrite() throws IOException {
        byte[] bytes = Bytes.random(100_000);
        List<byte[]> seen = new ArrayList<>();
        try (FaultInjection calls = FaultInjection.install();
                AsynchronousEventDemultiplexer writing = openSmall();
                Completions batch = writing.newCompletions(1);
                FileHandle file = FileHandle.open(path, StandardOpenOption.WRITE)) {
            calls.before(CalledSystem.isWindows() ? FLUSH : "fdatasync", () -> seen.add(content()));
            writing.newOperation().writeAndForceData(writing.associate(file.handle()), ByteBuffer.wrap(bytes), 0);
            assertEquals(1, writing.awaitCompletions(batch, PATIENCE.toNanos()));
            assertEquals(bytes.length, batch.result(0));
        }
        assumeTrue(!seen.isEmpty(), "the kernel forces without a call");
        assertEquals(1, seen.size());
        assertArrayEquals(bytes, seen.get(0));
    }

    /** The force of the first does not begin before the bytes of both are in the file. */
    @Test
    void anAppendIsWrittenDuringTheForceOfAnEarlierOne() throws IOException {
        List<byte[]> seen = new ArrayList<>();
        try (FaultInjection calls = FaultInjection.install();
                AsynchronousEventDemultiplexer writing = openSmall();
                Completions batch = writing.newCompletions(1);
                FileHandle file = FileHandle.open(path, StandardOpenOption.APPEND)) {
            calls.beforeNth(CalledSystem.isWindows() ? FLUSH : "fdatasync", 1, () -> seen.add(awaitContent(2)));
            Association end = writing.associate(file.handle());
            Operation first = writing.newOperation();
            Operation second = writing.newOperation();
            first.writeAndForceData(end, ByteBuffer.allocateDirect(1).put(0, (byte) 1), 0);
            second.writeAndForceData(end, ByteBuffer.allocateDirect(1).put(0, (byte) 2), 0);
            for (Operation each : List.of(first, second)) {
                assertEquals(1, writing.awaitCompletions(batch, PATIENCE.toNanos()));
                assertSame(each, batch.operation(0));
                assertEquals(1, batch.result(0));
            }
        }
        byte[] inOrder = {1, 2};
        assertArrayEquals(inOrder, content());
        assumeTrue(!seen.isEmpty(), "the kernel forces without a call");
        assertArrayEquals(inOrder, seen.get(0));
    }

    /** {@return what the file holds when that has a length, or has not had it for too long} */
    private byte[] awaitContent(int length) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        Pause pause = new Pause();
        byte[] held = content();
        while (held.length < length && System.nanoTime() - end < 0) {
            pause.next();
            held = content();
        }
        return held;
    }
}
