package dev.sluice.ffm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.LoadedClasses;
import dev.sluice.testing.Depth;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

@Tag(Depth.IN_QUICK)
class ForeignFunctionTest {

    private static final int THREADS = 8;
    private static final int ROUNDS = 100;
    private static final MethodHandle LINKED = MethodHandles.constant(int.class, 42);

    // Of Windows, another test calls each function, by libraries that are found only if they were loaded before.
    static final List<Class<?>> FAMILIES = List.of(FfmPosix.class, FfmLinux.class, FfmBsd.class);

    private final AtomicInteger linked = new AtomicInteger();

    private MethodHandle link() {
        linked.incrementAndGet();
        return LINKED;
    }

    @Test
    void isLinkedOnceAndNotBeforeItIsCalled() throws Throwable {
        ForeignFunction function = new ForeignFunction(this::link);
        assertEquals(0, linked.get());
        assertEquals(42, (int) function.handle().invokeExact());
        assertSame(LINKED, function.handle());
        assertEquals(1, linked.get());
    }

    @Test
    void isLinkedByTheNextCallIfLinkingFails() {
        ForeignFunction function = new ForeignFunction(() -> {
            if (linked.incrementAndGet() < 3) {
                throw new OutOfMemoryError("as a test wants it");
            }
            return LINKED;
        });
        assertThrows(OutOfMemoryError.class, function::handle);
        assertThrows(OutOfMemoryError.class, function::handle);
        assertSame(LINKED, function.handle());
        assertSame(LINKED, function.handle());
        assertEquals(3, linked.get());
    }

    @Test
    void isLinkedOnceByManyThreads() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            for (int round = 0; round < ROUNDS; round++) {
                linked.set(0);
                ForeignFunction function = new ForeignFunction(this::link);
                CyclicBarrier start = new CyclicBarrier(THREADS);
                List<Future<MethodHandle>> handles = new ArrayList<>();
                for (int thread = 0; thread < THREADS; thread++) {
                    handles.add(threads.submit(() -> {
                        start.await();
                        return function.handle();
                    }));
                }
                for (Future<MethodHandle> handle : handles) {
                    assertSame(LINKED, handle.get());
                }
                assertEquals(1, linked.get());
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @ParameterizedTest
    @FieldSource("FAMILIES")
    void everyFunctionLinks(Class<?> family) throws Throwable {
        int functions = 0;
        for (Field field : family.getDeclaredFields()) {
            if (field.getType() == ForeignFunction.class) {
                field.setAccessible(true);
                ForeignFunction function = (ForeignFunction) field.get(null);
                assertSame(function.handle(), function.handle(), field::getName);
                functions++;
            }
        }
        assertTrue(functions > 0, "has no functions");
    }

    @Test
    void noFunctionIsLinkedWithTheBinding() throws Exception {
        // A name that this Java does not know would prove nothing.
        String linking = Class.forName("jdk.internal.foreign.abi.DowncallLinker", false, null).getName();
        Set<String> loaded = LoadedClasses.of(FfmBindingProvider.class);
        assertTrue(loaded.contains(ForeignFunction.class.getName()), () -> "loaded: " + loaded);
        assertFalse(loaded.contains(linking));
    }
}
