package dev.sluice.ffm;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * Links the functions of a C library, each at its first call, by the methods of the interface that declares them: a
 * handle takes what its method takes. If the function sets an error number, it takes the {@link CallState} before that,
 * and everything else is a {@code long}.
 */
final class CLibrary {

    /** A failure has fewer causes, unless they form a circle. */
    private static final int MAX_CAUSES = 10;
    private static final Linker LINKER = Linker.nativeLinker();
    private static final MethodHandle SEGMENT_OF_ADDRESS = segmentOfAddress();

    private final SymbolLookup symbols;
    private final Class<?> family;

    CLibrary(SymbolLookup symbols, Class<?> family) {
        this.symbols = symbols;
        this.family = family;
    }

    /** The library that every process has: on Unix, the C library. */
    static CLibrary standard(Class<?> family) {
        return new CLibrary(LINKER.defaultLookup(), family);
    }

    /** A library by its file name, never unloaded; if the system lacks the library, all its functions are missing. */
    static CLibrary named(String name, Class<?> family) {
        SymbolLookup symbols;
        try {
            symbols = SymbolLookup.libraryLookup(name, Arena.global());
        } catch (IllegalArgumentException e) {
            symbols = absent -> Optional.empty();
        }
        return new CLibrary(symbols, family);
    }

    /** A function that returns -1 if it fails. */
    ForeignFunction function(String name) {
        return function(name, Failure.MINUS_ONE);
    }

    ForeignFunction function(String name, Failure failure) {
        return new ForeignFunction(() -> link(name, failure, failure.options()));
    }

    /**
     * A function with {@code ...} in its prototype, which returns -1 if it fails. It must be declared so: on Apple
     * silicon variadic arguments are passed on the stack, where a call linked as an ordinary one would not put them.
     */
    ForeignFunction variadic(String name, int fixedArguments) {
        return new ForeignFunction(() -> link(name, Failure.MINUS_ONE, CallState.CAPTURE,
                Linker.Option.firstVariadicArg(fixedArguments)));
    }

    /**
     * The function that the method's first argument points to, which comes before the state; what follows has the types
     * of the method. Compiled code does not allocate the segment that the linker requires for the pointer.
     */
    ForeignFunction pointed(String method, Failure failure) {
        return new ForeignFunction(() -> linkPointed(method, failure));
    }

    private MethodHandle linkPointed(String method, Failure failure) {
        FunctionDescriptor descriptor = descriptor(type(method).dropParameterTypes(0, 1));
        MethodHandle call = LINKER.downcallHandle(descriptor, failure.options());
        return failure.checked(MethodHandles.filterArguments(call, 0, SEGMENT_OF_ADDRESS));
    }

    private MethodHandle link(String name, Failure failure, Linker.Option... options) {
        MethodType type = failure.isCaptured() ? widened(type(name)) : type(name);
        Optional<MemorySegment> function = symbols.find(name);
        return function.isPresent()
                ? failure.checked(LINKER.downcallHandle(function.get(), descriptor(type), options))
                // The system is too old to have the function: the caller gets the error that its kernel would return.
                : MethodHandles.dropArguments(failure.ofAbsence(type.returnType()), 0, parameters(type, failure));
    }

    private static List<Class<?>> parameters(MethodType type, Failure failure) {
        return failure.isCaptured()
                ? type.insertParameterTypes(0, MemorySegment.class).parameterList()
                : type.parameterList();
    }

    /** {@return the type in whole registers; only what is an integer fits into one} */
    private static MethodType widened(MethodType type) {
        type.parameterList().forEach(CLibrary::layout);
        return MethodType.methodType(long.class, Collections.nCopies(type.parameterCount(), long.class));
    }

    private MethodType type(String method) {
        List<MethodType> types = Arrays.stream(family.getDeclaredMethods())
                .filter(declared -> declared.getName().equals(method))
                .map(declared -> MethodType.methodType(declared.getReturnType(), declared.getParameterTypes()))
                .toList();
        if (types.size() != 1) {
            throw new IllegalArgumentException(family + " has " + types.size() + " methods " + method);
        }
        return types.get(0);
    }

    private static FunctionDescriptor descriptor(MethodType type) {
        MemoryLayout[] parameters =
                type.parameterList().stream().map(CLibrary::layout).toArray(MemoryLayout[]::new);
        return type.returnType() == void.class
                ? FunctionDescriptor.ofVoid(parameters)
                : FunctionDescriptor.of(layout(type.returnType()), parameters);
    }

    private static MemoryLayout layout(Class<?> type) {
        if (type == int.class) {
            return JAVA_INT;
        }
        if (type == long.class) {
            return JAVA_LONG;
        }
        throw new IllegalArgumentException("neither int nor long: " + type);
    }

    private static MethodHandle segmentOfAddress() {
        try {
            return MethodHandles.lookup().findStatic(MemorySegment.class, "ofAddress",
                    MethodType.methodType(MemorySegment.class, long.class));
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }

    /**
     * A downcall itself throws nothing; what {@code invokeExact} throws is an error or a bug. Now and then it compiles
     * the handle, and wraps what keeps it from that: a shortage of memory or stack is thrown as what it is, since
     * callers continue after one.
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
