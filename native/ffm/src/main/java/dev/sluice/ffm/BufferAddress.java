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
 * Finds the address of a direct buffer. The API provides it only through a {@code MemorySegment} allocated for this,
 * which the compiler eliminates if it compiles all uses of it together. That is certain only for a handle that is not a
 * constant, as {@link ForeignFunction} explains: where a constant one would be inlined, in a deep caller, each message
 * may cost 120 bytes.
 *
 * <p>It also determines whether a program can free the memory while a call uses it. It cannot free memory of {@code
 * allocateDirect}, of the global and of automatic arenas, and of this binding; nor of a thread's own arena, since that
 * thread is in the call. The others are shared arenas, which any thread may close. A scope has no method that returns
 * whether its arena can be closed, but the scopes of arenas that cannot be closed are of classes of their own.
 */
final class BufferAddress {

    private static final Class<?> ORDINARY = MemorySegment.ofBuffer(ByteBuffer.allocateDirect(0)).scope().getClass();
    private static final Class<?> AUTOMATIC = Arena.ofAuto().scope().getClass();
    private static final Class<?> GLOBAL = Arena.global().scope().getClass();
    private static final Class<?> CONFINED = confined();
    /** If a Java does not distinguish shared arenas from others, memory is copied without need. */
    private static final Class<?> SHARED = Arena.ofShared().scope().getClass();
    /** The scopes of the binding's own memory, which its owner closes when no call uses it any more. */
    private static final Set<MemorySegment.Scope> OWN = ConcurrentHashMap.newKeySet();

    // Not static, since it would be a constant then.
    private final MethodHandle finding;

    BufferAddress() {
        try {
            finding = MethodHandles.lookup().findStatic(BufferAddress.class, "find",
                    MethodType.methodType(long.class, ByteBuffer.class, Thread.class));
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }

    /** Marks memory of this scope as not freed during a call, until it is disowned. */
    static void own(MemorySegment.Scope scope) {
        OWN.add(scope);
    }

    /** Called when the memory of this scope has been freed. */
    static void disown(MemorySegment.Scope scope) {
        OWN.remove(scope);
    }

    /**
     * {@return the address of index 0}
     *
     * @param user the thread that will use the memory
     * @throws IllegalStateException if the memory has been freed, or belongs to another thread's arena
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

    /** {@return whether memory is not freed while a buffer of it is reachable by any thread} */
    static boolean isSettled(MemorySegment.Scope scope) {
        Class<?> kind = scope.getClass();
        return (kind == ORDINARY || kind == AUTOMATIC || kind == GLOBAL) && kind != SHARED;
    }

    /** {@return whether no program can free memory while a call uses it} */
    static boolean lasts(MemorySegment.Scope scope) {
        Class<?> kind = scope.getClass();
        return isSettled(scope) || kind == CONFINED && kind != SHARED || OWN.contains(scope);
    }

    private static Class<?> confined() {
        try (Arena arena = Arena.ofConfined()) {
            return arena.scope().getClass();
        }
    }
}
