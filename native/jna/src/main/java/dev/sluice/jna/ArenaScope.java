package dev.sluice.jna;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Determines which threads can free a buffer's memory: on a Java that has arenas ({@code java.lang.foreign}), a buffer
 * may be a view of an arena's memory. Uses method handles, because this module is compiled for a Java without arenas. A
 * scope has no method that returns whether its arena can be closed, but the scopes of arenas that cannot be closed, and
 * of confined arenas, have classes of their own.
 */
final class ArenaScope {

    private static final String PACKAGE = "java.lang.foreign.";

    /** Maps a buffer to the class of its scope; null if this Java has no arenas. */
    private static final @Nullable MethodHandle KIND;
    private static final @Nullable Class<?> CONFINED;
    /** Scopes of memory that cannot be freed while the buffer is reachable. */
    private static final Set<Class<?>> STABLE;

    static {
        MethodHandle kind = null;
        Class<?> confined = null;
        Set<Class<?>> stable = Set.of();
        try {
            Class<?> segment = Class.forName(PACKAGE + "MemorySegment");
            Class<?> scope = Class.forName(PACKAGE + "MemorySegment$Scope");
            MethodHandles.Lookup lookup = MethodHandles.publicLookup();
            MethodHandle ofBuffer =
                    lookup.findStatic(segment, "ofBuffer", MethodType.methodType(segment, Buffer.class));
            MethodHandle scopeOf = lookup.findVirtual(segment, "scope", MethodType.methodType(scope));
            MethodHandle classOf = lookup.findVirtual(Object.class, "getClass", MethodType.methodType(Class.class));
            kind = MethodHandles.filterReturnValue(MethodHandles.filterReturnValue(ofBuffer, scopeOf),
                    classOf.asType(MethodType.methodType(Class.class, scope)))
                    .asType(MethodType.methodType(Class.class, ByteBuffer.class));
            confined = arena("ofConfined");
            Class<?> shared = arena("ofShared");
            Class<?> ordinary = (Class<?>) kind.invokeExact(ByteBuffer.allocateDirect(0));
            stable = Set.copyOf(Stream.of(ordinary, arena("ofAuto"), arena("global"))
                    .filter(each -> each != shared)
                    .toList());
        } catch (ReflectiveOperationException e) {
            // Without arenas, the memory of a direct buffer is not freed while the buffer is reachable.
            kind = null;
        } catch (Throwable e) {
            throw new ExceptionInInitializerError(e);
        }
        KIND = kind;
        CONFINED = confined;
        STABLE = stable;
    }

    private ArenaScope() {
    }

    /** {@return the class of the scope of a new arena, given the name of the method that creates the arena} */
    private static Class<?> arena(String method) throws Throwable {
        Class<?> arena = Class.forName(PACKAGE + "Arena");
        MethodHandles.Lookup lookup = MethodHandles.publicLookup();
        Object made = lookup.findStatic(arena, method, MethodType.methodType(arena)).invoke();
        Class<?> scope = Class.forName(PACKAGE + "MemorySegment$Scope");
        return lookup.findVirtual(arena, "scope", MethodType.methodType(scope)).invoke(made).getClass();
    }

    /** {@return whether no other thread can free the memory of a reachable direct buffer} */
    static boolean isStable(ByteBuffer direct) {
        if (KIND == null) {
            return true;
        }
        Class<?> kind = kind(direct);
        return kind == CONFINED || STABLE.contains(kind);
    }

    /** {@return whether the memory of a direct buffer belongs to a confined arena} */
    static boolean isConfined(ByteBuffer direct) {
        return KIND != null && kind(direct) == CONFINED;
    }

    private static Class<?> kind(ByteBuffer direct) {
        assert KIND != null;
        try {
            return (Class<?>) KIND.invokeExact(direct);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
