package dev.sluice.demultiplexer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.ForeignMemory;
import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.handle.Bytes;
import dev.sluice.handle.FileAlignment;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.FileOption;
import dev.sluice.handle.LockableMemory;
import dev.sluice.handle.MappedFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Transfers of files with memory that is registered with the system, where there is such a thing. */
abstract class RegisteredBufferContract extends OperationContract {

    /** More than a mechanism registers. */
    private static final int MANY = 70;
    private static final int READS = 40;

    private final boolean lessThanRunning;
    private FileAlignment alignment;
    private int unit;
    private Association where;
    /** 16 units. */
    private ByteBuffer memory;
    private byte[] content;

    RegisteredBufferContract(AsynchronousMechanism mechanism) {
        super(mechanism);
        lessThanRunning = mechanism.isOnLesserKernel();
    }

    @BeforeEach
    final void openFile() throws IOException {
        Path path = directory.resolve("file");
        FileHandle file = own(FileHandle.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE,
                StandardOpenOption.CREATE, FileOption.DIRECT));
        alignment = file.directAlignment();
        unit = Math.max(alignment.write(), alignment.memory());
        content = Bytes.random(16 * unit);
        Files.write(path, content);
        where = associate(file.handle());
        memory = alignment.allocate(16 * unit);
    }

    private ByteBuffer units(ByteBuffer buffer, int from, int count) {
        return buffer.slice(from * unit, count * unit);
    }

    private void assertUnits(int from, int count, ByteBuffer read) {
        assertEquals(count * unit, read.position());
        assertEquals(ByteBuffer.wrap(content, from * unit, count * unit), read.flip());
    }

    private void assertRegistered(long most) throws IOException {
        collect(0);
        long registered = demultiplexer.registeredBytes();
        if (LockableMemory.isEnoughFor(demultiplexer.name()) && !lessThanRunning) {
            assertEquals(most, registered);
        }
        assertTrue(registered == 0 || registered == most, () -> registered + " bytes are registered");
    }

    @Test
    void movesTheBytesOfSlices() throws IOException {
        Closeable registration = demultiplexer.registerBuffer(memory.slice(unit, 8 * unit));
        assertRegistered(8L * unit);
        // Within, at both ends, across each end, and outside.
        for (int from : new int[] {1, 3, 5, 0, 7, 12}) {
            ByteBuffer in = units(memory, from, 4);
            assertResult(4L * unit, start(o -> o.read(where, in, from * (long) unit)));
            assertUnits(from, 4, in);
        }
        ByteBuffer[] both = {units(memory, 2, 1), units(memory, 5, 2)};
        assertResult(3L * unit, start(o -> o.read(where, both, 0, 2, unit)));
        assertUnits(2, 2, both[1]);
        ByteBuffer out = units(memory, 4, 2).put(0, (byte) 1);
        content = new byte[2 * unit];
        out.get(0, content);
        assertResult(2L * unit, start(o -> o.write(where, out, 0)));
        assertResult(2L * unit, start(o -> o.writeAndForceData(where, out.flip(), 16L * unit)));
        ByteBuffer other = alignment.allocate(2 * unit);
        for (long position : new long[] {0, 16L * unit}) {
            other.clear();
            assertResult(2L * unit, start(o -> o.read(where, other, position)));
            assertUnits(0, 2, other);
        }
        ByteBuffer end = units(memory, 2, 4);
        assertResult(2L * unit, start(o -> o.read(where, end, 16L * unit)));
        assertEquals(2 * unit, end.position());
        registration.close();
        registration.close();
        assertRegistered(0);
        ByteBuffer again = units(memory, 2, 1);
        assertResult(unit, start(o -> o.read(where, again, 0)));
        assertUnits(0, 1, again);
    }

    @Test
    void endsWithOperationsInFlight() throws IOException {
        for (boolean submitted : new boolean[] {false, true}) {
            Closeable registration = demultiplexer.registerBuffer(memory);
            assertRegistered(16L * unit);
            List<Flight> reads = new ArrayList<>();
            List<ByteBuffer> buffers = new ArrayList<>();
            for (int i = 0; i < READS; i++) {
                int from = i % 16;
                ByteBuffer in = units(memory, from, 1);
                buffers.add(in);
                reads.add(start(o -> o.read(where, in, from * (long) unit)));
            }
            if (submitted) {
                collect(0);
            }
            registration.close();
            // Its entry may be used again.
            Closeable next = demultiplexer.registerBuffer(alignment.allocate(unit));
            collectAll(reads);
            for (int i = 0; i < READS; i++) {
                assertEquals(unit, reads.get(i).result());
                assertUnits(i % 16, 1, buffers.get(i));
            }
            next.close();
            assertRegistered(0);
        }
    }

    @Test
    void goesOnWithWhatTheSystemDoesNotRegister() throws IOException {
        List<Closeable> registrations = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            registrations.add(demultiplexer.registerBuffer(units(memory, i % 16, 1)));
        }
        collect(0);
        assertTrue(demultiplexer.registeredBytes() < (long) MANY * unit);
        ByteBuffer in = units(memory, 15, 1);
        assertResult(unit, start(o -> o.read(where, in, 15L * unit)));
        assertUnits(15, 1, in);
        for (Closeable each : registrations) {
            each.close();
        }
        assertRegistered(0);
        own(demultiplexer.registerBuffer(memory));
        assertRegistered(16L * unit);
    }

    /** The other thread's registration begins with the next wait at the latest. */
    @Test
    void anyThreadRegisters() throws Exception {
        Closeable registration = collectDuring(() -> demultiplexer.registerBuffer(memory));
        assertRegistered(16L * unit);
        ByteBuffer in = units(memory, 1, 3);
        assertResult(3L * unit, start(o -> o.read(where, in, unit)));
        assertUnits(1, 3, in);
        collectDuring(() -> {
            registration.close();
            return true;
        });
        assertRegistered(0);
        demultiplexer.close();
        demultiplexer.registerBuffer(memory).close();
    }

    @Test
    void endsWithTheClose() throws IOException {
        Closeable registration = demultiplexer.registerBuffer(memory);
        assertRegistered(16L * unit);
        demultiplexer.close();
        assertEquals(0, demultiplexer.registeredBytes());
        registration.close();
        assertEquals(0, demultiplexer.registeredBytes());
    }

    @Test
    void refusesArenasThatAreClosed() throws Exception {
        ForeignMemory.assumeThere();
        for (String kind : List.of("ofShared", "ofConfined")) {
            try (AutoCloseable arena = ForeignMemory.arena(kind)) {
                ByteBuffer wrong = ForeignMemory.buffer(arena);
                assertTrue(assertThrows(IllegalArgumentException.class, () -> demultiplexer.registerBuffer(wrong))
                        .getMessage().contains("arena"), kind);
            }
        }
    }

    /** With a binding whose mappings last as long as their buffers, it may be registered. */
    @Test
    void refusesMappedFilesThatAreUnmapped() throws IOException {
        Path path = directory.resolve("mapped");
        Files.write(path, content);
        try (FileHandle file = FileHandle.open(path);
                MappedFile mapped = MappedFile.map(file, MappedFile.Mode.READ_ONLY, 0, content.length)) {
            ByteBuffer buffer = mapped.buffer();
            if (Bindings.current().memory().lasts(buffer)) {
                demultiplexer.registerBuffer(buffer).close();
            } else {
                assertThrows(IllegalArgumentException.class, () -> demultiplexer.registerBuffer(buffer));
            }
        }
    }

    @Test
    void refusesWhatTheProgramMayFree() {
        for (ByteBuffer wrong : List.of(ByteBuffer.allocate(unit), ByteBuffer.allocateDirect(0),
                ByteBuffer.allocate(0))) {
            assertTrue(assertThrows(IllegalArgumentException.class, () -> demultiplexer.registerBuffer(wrong))
                    .getMessage().startsWith("registerBuffer: "));
        }
        assertThrows(NullPointerException.class, () -> demultiplexer.registerBuffer(null));
    }
}
