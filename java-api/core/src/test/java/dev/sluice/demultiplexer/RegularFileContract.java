package dev.sluice.demultiplexer;

import static dev.sluice.demultiplexer.spi.EventType.EXCEPTION;
import static dev.sluice.demultiplexer.spi.EventType.READ;
import static dev.sluice.demultiplexer.spi.EventType.WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.demultiplexer.spi.Membership;
import dev.sluice.demultiplexer.spi.ReadyBatch;
import dev.sluice.demultiplexer.spi.Trigger;
import dev.sluice.handle.FileHandle;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A regular file is always ready for reading and writing, whether or not the mechanism itself supports files. */
@Tag(CalledSystem.NOT_WINDOWS)
abstract class RegularFileContract extends DemultiplexerContract {

    private static final int SEVERAL = 5;
    private static final int MANY = 100;

    @TempDir
    Path directory;

    RegularFileContract(String name) {
        super(name);
    }

    private FileHandle file() throws IOException {
        Path path = Files.write(Files.createTempFile(directory, "file", null), new byte[1_000]);
        return own(FileHandle.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE));
    }

    @Test
    void isReadyForWhatIsAskedOfIt() throws IOException {
        FileHandle file = file();
        Membership registration = register(file.handle(), READ);
        assertReported(registration, READ);
        registration.setEvents(WRITE);
        registration.rearm();
        assertReported(registration, WRITE);
        registration.setEvents(READ | WRITE);
        registration.rearm();
        assertReported(registration, READ | WRITE);
    }

    @Test
    void isNeverReadyForAnException() throws IOException {
        Membership registration = register(file().handle(), EXCEPTION);
        assertQuietFor(A_MOMENT);
        registration.setEvents(READ | EXCEPTION);
        assertReported(registration, READ);
    }

    @Test
    void isReportedByEachWaitAsLongAsItIsAskedFor() throws IOException {
        FileHandle file = file();
        Membership registration = register(file.handle(), READ);
        ByteBuffer buffer = ByteBuffer.allocate(100);
        for (int position = 0; position < 2_000; position += 100) {
            assertReported(registration, READ);
            file.read(buffer.clear(), position);
            registration.rearm();
        }
    }

    @Test
    void isReportedAsItsTriggerSays() throws IOException {
        Membership registration = register(file().handle(), READ);
        assertReported(registration, READ);
        if (demultiplexer.trigger() == Trigger.LEVEL) {
            assertReported(registration, READ);
        } else {
            assertQuietFor(A_MOMENT);
            registration.rearm();
            assertReported(registration, READ);
            assertQuietFor(A_MOMENT);
        }
    }

    /** Also after reading the file sequentially, which leaves the descriptor's position at the end. */
    @Test
    void isReadyAtItsEndAndWhenItIsEmpty() throws IOException {
        Path empty = Files.createFile(directory.resolve("empty"));
        FileHandle file = own(FileHandle.open(empty, StandardOpenOption.READ, StandardOpenOption.WRITE,
                StandardOpenOption.APPEND));
        Membership registration = register(file.handle(), READ);
        assertReported(registration, READ);
        file.write(ByteBuffer.allocate(100), 0);
        registration.rearm();
        assertReported(registration, READ);
        registration.setEvents(READ | WRITE);
        registration.rearm();
        assertReported(registration, READ | WRITE);
    }

    @Test
    void isQuietWhileNothingIsAskedOfIt() throws IOException {
        Membership registration = register(file().handle(), 0);
        assertQuietFor(A_MOMENT);
        registration.setEvents(READ);
        assertReported(registration, READ);
        registration.rearm();
        registration.setEvents(0);
        assertQuietFor(A_MOMENT);
        registration.setEvents(WRITE);
        registration.rearm();
        assertReported(registration, WRITE);
    }

    @Test
    void isQuietWhileDeactivated() throws IOException {
        Membership registration = register(file().handle(), READ);
        for (int round = 0; round < 3; round++) {
            assertReported(registration, READ);
            registration.deactivate();
            registration.rearm();
            assertQuietFor(A_MOMENT);
            registration.activate();
        }
        assertReported(registration, READ);
    }

    @Test
    void isQuietWhenRemovedAndMayComeBack() throws IOException {
        FileHandle file = file();
        for (int round = 0; round < 3; round++) {
            Membership registration = register(file.handle(), READ | WRITE);
            assertReported(registration, READ | WRITE);
            registration.remove();
            assertQuietFor(A_MOMENT);
        }
    }

    @Test
    void leavesTheSetWhenItIsClosed() throws IOException {
        FileHandle file = file();
        Membership registration = register(file.handle(), READ);
        file.close();
        assertFalse(registration.isValid());
        assertQuietFor(A_MOMENT);
    }

    @Test
    void doesNotHideOtherTimeouts() throws IOException {
        Membership file = register(file().handle(), READ);
        Membership pipe = register(pipe().source(), READ);
        assertReported(file, READ);
        file.remove();
        assertQuietFor(A_MOMENT);
        assertTrue(pipe.isValid());
    }

    /** Each handle is reported eventually, however small the batch and however busy the others. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 64})
    void filesAndOtherHandlesShareBatchesFairly(int capacity) throws IOException {
        // A mechanism that scans its handles from the first one on has no order that changes.
        assumeTrue(capacity > 2 * SEVERAL || !demultiplexer.name().equals("poll")
                && !demultiplexer.name().equals("select"), "poll and select report in a fixed order");
        List<Membership> all = new ArrayList<>();
        for (int i = 0; i < SEVERAL; i++) {
            all.add(register(file().handle(), READ));
            all.add(register(pipe().sink(), WRITE));
        }
        Map<Membership, Integer> reported = new HashMap<>();
        ReadyBatch batch = newBatch(capacity);
        for (int i = 0; i < MANY; i++) {
            int count = demultiplexer.awaitReady(batch, PATIENCE.toNanos());
            Set<Membership> once = new HashSet<>();
            for (int j = 0; j < count; j++) {
                Membership registration = batch.membership(j);
                assertTrue(once.add(registration), () -> registration + " is reported twice");
                reported.merge(registration, 1, Integer::sum);
            }
            for (Membership registration : once) {
                registration.rearm();
            }
        }
        int least = Math.min(MANY / 2, capacity * MANY / (8 * SEVERAL));
        for (Membership registration : all) {
            int times = reported.getOrDefault(registration, 0);
            assertTrue(times >= least, () -> times + " times " + registration);
        }
    }

    @Test
    void registeredDuringAWaitIsReportedByIt() throws Exception {
        FileHandle file = file();
        Waiter waiter = waiter(PATIENCE.toNanos());
        register(file.handle(), READ);
        assertEquals(1, result(waiter.future()));
    }

    @Test
    void activatedDuringAWaitIsReportedByIt() throws Exception {
        Membership registration = register(file().handle(), READ);
        registration.deactivate();
        Waiter waiter = waiter(PATIENCE.toNanos());
        registration.activate();
        assertEquals(1, result(waiter.future()));
    }

    @Test
    void askedForDuringAWaitIsReportedByIt() throws Exception {
        Membership registration = register(file().handle(), 0);
        Waiter waiter = waiter(PATIENCE.toNanos());
        registration.setEvents(WRITE);
        assertEquals(1, result(waiter.future()));
    }

    @Test
    void doesNotDelayAWakeUp() throws IOException {
        Membership registration = register(file().handle(), READ);
        for (int i = 0; i < MANY; i++) {
            demultiplexer.wakeUp();
            demultiplexer.awaitReady(ready, PATIENCE.toNanos());
            registration.rearm();
        }
        registration.remove();
        // One wake-up may be left from the last round.
        demultiplexer.awaitReady(ready, 0);
        assertQuietFor(A_MOMENT);
    }
}
