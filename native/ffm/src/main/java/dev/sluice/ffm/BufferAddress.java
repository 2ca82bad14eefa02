package dev.sluice.ffm;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Finds the address of a direct buffer. The API provides it only through a new {@code MemorySegment}, whose allocation
 * the compiler eliminates if it compiles all its uses together. That is certain only for a handle that is not a
 * constant, as {@link ForeignFunction} explains: a constant handle may be inlined in part into a deep caller, and each
 * message may then allocate 120 bytes.
 *
 * <p>Also determines whether a program can free the memory while a call uses it. A program cannot free memory of
 * {@code allocateDirect}, of the global arena, of automatic arenas, and of this binding, nor memory of an arena that is
 * confined to the calling thread. It can free memory of other shared arenas, which any thread may close. A scope has no
 * method that returns whether its arena can be closed, but the scopes of arenas that cannot be closed have classes of
 * their own.
 */
final class BufferAddress {

    private static final Class<?> ORDINARY = MemorySegment.ofBuffer(ByteBuffer.allocateDirect(0)).scope().getClass();
    private static final Class<?> AUTOMATIC = Arena.ofAuto().scope().getClass();
    private static final Class<?> GLOBAL = Arena.global().scope().getClass();
    private static final Class<?> CONFINED = confined();
    /** If an implementation of Java does not distinguish shared arenas from others, memory is copied unnecessarily. */
    private static final Class<?> SHARED = Arena.ofShared().scope().getClass();
    /** The scopes of memory of this binding, whose owner closes it when no call uses it any more. */
    private static final Set<MemorySegment.Scope> OWN = ConcurrentHashMap.newKeySet();

    // Not static, because it would then be a constant.
    private final MethodHandle finding;

    BufferAddress() {
        try {
            finding = MethodHandles.lookup().findStatic(BufferAddress.class, "find",
                    MethodType.methodType(long.class, ByteBuffer.class, Thread.class));
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }

    /** Registers the scope of memory that is not freed during a call. */
    static void own(MemorySegment.Scope scope) {
        OWN.add(scope);
    }

    /** Called when the memory of a registered scope has been freed. */
    static void disown(MemorySegment.Scope scope) {
        OWN.remove(scope);
    }

    /**
     * {@return the address of index 0}
     *
     * @param user the thread that will use the memory
     * @throws IllegalStateException if the memory has been freed, or is confined to another thread
     */
    long of(ByteBuffer direct, Thread user) {
        try {
            return (long) finding.invokeExact(direct, user);
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
    }

    private static long find(ByteBuffer direct, Thread user) {
        MemorySegment segment = MemorySegment.ofBuffer(direct);
        if (!segment.scope().isAlive()) {
            throw new IllegalStateException("the buffer's memory has been freed: " + direct);
        }
        if (!segment.isAccessibleBy(user)) {
            throw new IllegalStateException("the buffer is confined to the arena of one thread, and cannot be used "
                    + "without that"
                    + " thread; use a buffer of a shared arena, or of ByteBuffer.allocateDirect: "
                    + direct);
        }
        return segment.address() - direct.position();
    }

    /** {@return whether memory is not freed as long as a buffer of it is reachable} */
    static boolean isSettled(MemorySegment.Scope scope) {
        Class<?> kind = scope.getClass();
        return (kind == ORDINARY || kind == AUTOMATIC || kind == GLOBAL) && kind != SHARED;
    }

    /** {@return whether a program cannot free memory while a call of this thread uses it} */
    static boolean isStable(MemorySegment.Scope scope) {
        Class<?> kind = scope.getClass();
        return isSettled(scope) || kind == CONFINED && kind != SHARED || OWN.contains(scope);
    }

    private static Class<?> confined() {
        try (Arena arena = Arena.ofConfined()) {
            return arena.scope().getClass();
        }
    }
}
