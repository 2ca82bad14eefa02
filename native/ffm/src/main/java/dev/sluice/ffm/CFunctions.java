package dev.sluice.ffm;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Optional;

/** Links C functions. Every handle takes the {@link CallState} first, then the function's own arguments. */
final class CFunctions {

    private static final Linker LINKER = Linker.nativeLinker();

    private CFunctions() {
    }

    static MethodHandle function(String name, FunctionDescriptor descriptor) {
        return function(cLibrary(), name, descriptor);
    }

    static MethodHandle function(SymbolLookup library, String name, FunctionDescriptor descriptor) {
        return link(library, name, descriptor, CallState.CAPTURE);
    }

    /**
     * A function with {@code ...} in its prototype. It must be declared so: on Apple silicon variadic arguments travel
     * on the stack, where a call linked as an ordinary one would not put them.
     */
    static MethodHandle variadic(String name, int fixedArguments, FunctionDescriptor descriptor) {
        return link(cLibrary(), name, descriptor, CallState.CAPTURE,
                Linker.Option.firstVariadicArg(fixedArguments));
    }

    private static MethodHandle link(SymbolLookup library, String name, FunctionDescriptor descriptor,
            Linker.Option... options) {
        Optional<MemorySegment> function = library.find(name);
        return function.isPresent()
                ? LINKER.downcallHandle(function.get(), descriptor, options)
                : missing(descriptor);
    }

    static SymbolLookup cLibrary() {
        return LINKER.defaultLookup();
    }

    /** {@return a library without any function} */
    static SymbolLookup nowhere() {
        return name -> Optional.empty();
    }

    // An older C library lacks a function: the caller gets the error that an older kernel would give.
    private static MethodHandle missing(FunctionDescriptor descriptor) {
        MethodType type = descriptor.toMethodType();
        try {
            MethodHandle enosys = MethodHandles.lookup().findStatic(CallState.class, "setNotImplemented",
                    MethodType.methodType(int.class, MemorySegment.class));
            MethodHandle result = descriptor.returnLayout().orElseThrow().equals(JAVA_INT)
                    ? enosys
                    : MethodHandles.explicitCastArguments(enosys, enosys.type().changeReturnType(type.returnType()));
            return MethodHandles.dropArguments(result, 1, type.parameterList());
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }

    /** A downcall throws nothing of its own; what comes out of {@code invokeExact} is an error or a bug. */
    static RuntimeException unexpected(Throwable e) {
        if (e instanceof Error error) {
            throw error;
        }
        return e instanceof RuntimeException runtime ? runtime : new IllegalStateException(e);
    }
}
