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
 * Finds the address of a direct buffer. The API gives it only through a {@code MemorySegment} made for the purpose,
 * which the compiler eliminates if it compiles all that is done with it together. That is sure only of a handle that is
 * no constant, as {@link ForeignFunction} explains: where it would be inlined, in a caller that is deep already, each
 * message may cost 120 bytes.
 *
 * <p>It also says whose memory no program can free while a call uses it: that of {@code allocateDirect}, of the global
 * and of automatic arenas, and of this binding. A thread's own arena counts as well, since that thread is inside the
 * call. What is left are shared arenas, which any thread may close. A scope does not say whether its arena can be
 * closed, but the scopes of arenas that cannot be closed are of classes of their own.
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

    // Of an object, since a static one would be a constant.
    private final MethodHandle finding;

    BufferAddress() {
        try {
            finding = MethodHandles.lookup().findStatic(BufferAddress.class, "find",
                    MethodType.methodType(long.class, ByteBuffer.class, Thread.class));
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }

    /** From now on memory of this scope lasts, until it is disowned. */
    static void own(MemorySegment.Scope scope) {
        OWN.add(scope);
    }

    /** The memory of this scope has been freed. */
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
            throw new IllegalStateException("the buffer is confined to one thread's arena, and of no use without that"
                    + " thread; take a buffer of a shared arena, or one that ByteBuffer.allocateDirect has made: "
                    + direct);
        }
        return segment.address() - direct.position();
    }

    /** {@return whether memory lasts as long as a buffer of it can be reached, for any thread} */
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
