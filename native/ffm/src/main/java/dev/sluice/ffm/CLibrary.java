package dev.sluice.ffm;

import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Links the functions of a C library, each at its first call, by the methods of the interface that declares them: a
 * handle has the parameters of its method. If the function sets an error number, the {@link CallState} precedes them,
 * and all parameters are {@code long}.
 */
final class CLibrary {

    /** The maximum number of causes to follow, because they may form a cycle. */
    private static final int MAX_CAUSES = 10;
    private static final Linker LINKER = Linker.nativeLinker();

    private final SymbolLookup symbols;
    private final Class<?> family;

    CLibrary(SymbolLookup symbols, Class<?> family) {
        this.symbols = symbols;
        this.family = family;
    }

    /** Returns the library that every process has: on Unix, the C library. */
    static CLibrary standard(Class<?> family) {
        return new CLibrary(LINKER.defaultLookup(), family);
    }

    /**
     * Returns a library by its file name. It is loaded when one of its functions is linked, and never unloaded; if the
     * system lacks the library, all its functions are missing.
     */
    static CLibrary named(String name, Class<?> family) {
        return new CLibrary(function -> find(name, function), family);
    }

    private static Optional<MemorySegment> find(String library, String function) {
        try {
            return SymbolLookup.libraryLookup(library, Arena.global()).find(function);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Returns a function whose result is -1 if it fails. */
    ForeignFunction function(String name) {
        return function(name, Failure.MINUS_ONE);
    }

    ForeignFunction function(String name, Failure failure) {
        return new ForeignFunction(Downcall.named(this, name, failure));
    }

    /**
     * Returns a function with {@code ...} in its prototype, whose result is -1 if it fails. On Apple silicon variadic
     * arguments are passed on the stack, where a call linked as an ordinary one would not put them.
     */
    ForeignFunction variadic(String name, int fixedArguments) {
        return new ForeignFunction(Downcall.variadic(this, name, fixedArguments));
    }

    /**
     * Returns the function that the first argument of the method points to, which precedes the state; the others have
     * the types of the method. Compiled code does not allocate the segment that the linker requires for the pointer.
     */
    ForeignFunction pointed(String method, Failure failure) {
        return new ForeignFunction(Downcall.pointed(this, method, failure));
    }

    Class<?> family() {
        return family;
    }

    Optional<MemorySegment> find(String name) {
        return symbols.find(name);
    }

    /** {@return the type of the only method of this name} */
    MethodType type(String method) {
        List<MethodType> types = Arrays.stream(family.getDeclaredMethods())
                .filter(declared -> declared.getName().equals(method))
                .map(declared -> MethodType.methodType(declared.getReturnType(), declared.getParameterTypes()))
                .toList();
        if (types.size() != 1) {
            throw new IllegalArgumentException(family + " has " + types.size() + " methods " + method);
        }
        return types.get(0);
    }

    /**
     * Converts an exception of {@code invokeExact}. A downcall itself throws none, so this is an error or a defect.
     * {@code invokeExact} may compile the handle, and wrap an exception of the compilation: a lack of memory or stack
     * is unwrapped, because callers continue after one.
     */
    static RuntimeException unexpected(Throwable e) {
        Throwable cause = e;
        for (int depth = 0; cause != null && depth < MAX_CAUSES; depth++) {
            if (cause instanceof VirtualMachineError error && !(error instanceof InternalError)) {
                throw error;
            }
            cause = cause.getCause();
        }
        if (e instanceof Error error) {
            throw error;
        }
        return e instanceof RuntimeException runtime ? runtime : new IllegalStateException(e);
    }
}
