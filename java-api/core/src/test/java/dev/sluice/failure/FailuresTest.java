package dev.sluice.failure;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.testing.Depth;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag(Depth.IN_QUICK)
class FailuresTest {

    private final Failures failures = new Failures();

    @Test
    void nothingIsThrownWithoutFailure() {
        failures.guard(() -> { });
        failures.throwKept();
        assertTrue(failures.isEmpty());
    }

    @Test
    void theFirstIsThrownOnceWithTheOthersInIt() {
        Throwable first = new IllegalStateException("first");
        Throwable second = new AssertionError("second");
        Throwable third = new IllegalStateException("third");
        for (Throwable failure : new Throwable[] {first, second, first, third}) {
            failures.guard(() -> FailuresTest.<RuntimeException>rethrow(failure));
        }
        assertFalse(failures.isEmpty());
        assertSame(first, assertThrows(IllegalStateException.class, failures::throwKept));
        assertArrayEquals(new Throwable[] {second, third}, first.getSuppressed());
        failures.throwKept();
    }

    @Test
    void allActionsRunAndARetryableFailureIsThrown() {
        Throwable first = new IllegalStateException("first");
        Throwable second = new OutOfMemoryError("thrown by the test");
        Throwable third = new IOException("third");
        List<Throwable> done = new ArrayList<>();
        assertSame(second, assertThrows(OutOfMemoryError.class,
                () -> Failures.forEach(List.of(first, second, third), failure -> {
                    done.add(failure);
                    FailuresTest.<RuntimeException>rethrow(failure);
                })));
        assertEquals(List.of(first, second, third), done);
        assertArrayEquals(new Throwable[] {first, third}, second.getSuppressed());
        Failures.forEach(List.of(first), done::add);
    }

    @Test
    void undeclaredExceptionsAreThrownUnchanged() {
        Throwable undeclared = new IOException("undeclared");
        failures.guard(() -> FailuresTest.<RuntimeException>rethrow(undeclared));
        assertSame(undeclared, assertThrows(IOException.class, failures::throwKept));
    }

    @Test
    void thoseOfSeveralThreadsAreAllKept() throws InterruptedException {
        Throwable first = new IllegalStateException("first");
        failures.add(first);
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> {
                for (int j = 0; j < 100; j++) {
                    failures.add(new IllegalStateException("another"));
                }
            });
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertSame(first, assertThrows(IllegalStateException.class, failures::throwKept));
        assertEquals(400, first.getSuppressed().length);
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void rethrow(Throwable failure) throws E {
        throw (E) failure;
    }
}
