package dev.sluice.demultiplexer.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.Completions;
import dev.sluice.demultiplexer.spi.OpenedDemultiplexers;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What an operation keeps from one start to the next, and what it releases. */
class OperationSlotTest {

    private static final int MAX_FIELDS_OF_A_SLOT = 20;
    private static final int MAX_FIELDS_OF_ARGUMENTS = 10;

    private OperationProcessor processor;
    private OperationSlot slot;

    @BeforeEach
    void open() throws IOException {
        processor = (OperationProcessor) OpenedDemultiplexers.openAsynchronous(Mechanism.AUTO);
        slot = (OperationSlot) processor.newOperation();
    }

    @AfterEach
    void close() {
        processor.close();
    }

    @Test
    void isNothingUntilItIsStarted() {
        assertNull(slot.type());
        assertEquals("operation", slot.toString());
    }

    /** Otherwise each change of kind would allocate. */
    @Test
    void keepsTheArgumentsOfEachKind() {
        Map<OperationType, Arguments> first = new EnumMap<>(OperationType.class);
        for (OperationType type : OperationType.values()) {
            first.put(type, slot.prepare(type));
            assertEquals(type, slot.type());
        }
        assertEquals(OperationType.values().length, first.values().stream().distinct().count());
        for (int i = 0; i < 2; i++) {
            for (OperationType type : OperationType.values()) {
                assertSame(first.get(type), slot.prepare(type));
                assertSame(first.get(type), slot.prepare(type), "the same kind again");
            }
        }
    }

    @Test
    void hasOneExecutionForEachKind() throws IOException {
        try (Completions completions = processor.newCompletions(1)) {
            Execution<?> timeout = executed(completions);
            slot.open(Path.of("."));
            awaitOne(completions);
            assertNotSame(timeout, slot.execution());
            assertSame(timeout, executed(completions));
        }
    }

    private Execution<?> executed(Completions completions) throws IOException {
        slot.timeout(0);
        awaitOne(completions);
        return slot.execution();
    }

    private void awaitOne(Completions completions) throws IOException {
        assertEquals(1, processor.awaitCompletions(completions, AsynchronousEventDemultiplexer.FOREVER));
    }

    @Test
    void keepsWhatItWasAboutUntilItIsUsedForAnotherKind() throws IOException {
        Path path = Path.of("there is none", "here");
        slot.open(path);
        Arguments opening = slot.arguments();
        try (Completions completions = processor.newCompletions(1)) {
            awaitOne(completions);
            assertTrue(completions.get(0).error().getMessage().contains("there is none"));
        }
        assertTrue(slot.error(-1).getMessage().contains("there is none"));
        assertSame(path, opening.subject());
        slot.prepare(OperationType.POST);
        assertNull(opening.subject());
    }

    @Test
    void isFreeAfterArgumentsThatAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> slot.timeout(-1));
        assertThrows(IllegalArgumentException.class, () -> slot.post(-1));
        assertThrows(NullPointerException.class, () -> slot.open(null));
        assertThrows(NullPointerException.class, () -> slot.force(null));
        assertTrue(slot.claim(null, null) >= 0);
    }

    /** A field for one kind does not belong in what all of them have. */
    @Test
    void hasFewFields() {
        assertTrue(fields(OperationSlot.class) <= MAX_FIELDS_OF_A_SLOT, () -> fields(OperationSlot.class) + "");
    }

    @ParameterizedTest
    @EnumSource
    void argumentsHaveFewFields(OperationType type) {
        Class<?> arguments = slot.prepare(type).getClass();
        assertTrue(fields(arguments) <= MAX_FIELDS_OF_ARGUMENTS, () -> arguments + ": " + fields(arguments));
    }

    private static long fields(Class<?> type) {
        return Arrays.stream(type.getDeclaredFields()).filter(field -> !Modifier.isStatic(field.getModifiers()))
                .count();
    }
}
