package dev.sluice.ffm;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The parameters for linking a function. A native image has code only for the descriptors and options that its metadata
 * lists ({@code META-INF/native-image}); a test compares them with that list.
 */
final class Downcall implements Supplier<MethodHandle> {

    private final CLibrary library;
    private final String name;
    private final Failure failure;
    /** The number of arguments before {@code ...} in the prototype; 0 if it has no {@code ...}. */
    private final int fixedArguments;
    /** Whether the function is the one that the first argument points to. */
    private final boolean pointed;

    private Downcall(CLibrary library, String name, Failure failure, int fixedArguments, boolean pointed) {
        this.library = library;
        this.name = name;
        this.failure = failure;
        this.fixedArguments = fixedArguments;
        this.pointed = pointed;
    }

    static Downcall named(CLibrary library, String name, Failure failure) {
        return new Downcall(library, name, failure, 0, false);
    }

    static Downcall variadic(CLibrary library, String name, int fixedArguments) {
        return new Downcall(library, name, Failure.MINUS_ONE, fixedArguments, false);
    }

    static Downcall pointed(CLibrary library, String method, Failure failure) {
        return new Downcall(library, method, failure, 0, true);
    }

    /** {@return the parameters and result of a call, apart from the {@link CallState}} */
    FunctionDescriptor descriptor() {
        return descriptor(type());
    }

    /** {@return the interface whose method declares the function} */
    Class<?> family() {
        return library.family();
    }

    boolean capturesCallState() {
        return failure.isCaptured();
    }

    /** {@return the number of arguments before {@code ...}; 0 if the prototype has no {@code ...}} */
    int fixedArguments() {
        return fixedArguments;
    }

    private MethodType type() {
        MethodType type = library.type(name);
        if (pointed) {
            return type.dropParameterTypes(0, 1);
        }
        return failure.isCaptured() ? widened(type) : type;
    }

    private Linker.Option[] options() {
        return fixedArguments == 0
                ? failure.options()
                : new Linker.Option[] {CallState.CAPTURE, Linker.Option.firstVariadicArg(fixedArguments)};
    }

    /**
     * {@inheritDoc} Returns a handle with the parameters of the method; if the system lacks the function, one that
     * returns an error.
     */
    @Override
    public MethodHandle get() {
        Linker linker = Linker.nativeLinker();
        MethodType type = type();
        if (pointed) {
            MethodHandle call = linker.downcallHandle(descriptor(type), options());
            return failure.checked(MethodHandles.filterArguments(call, 0, segmentOfAddress()));
        }
        Optional<MemorySegment> function = library.find(name);
        return function.isPresent()
                ? failure.checked(linker.downcallHandle(function.get(), descriptor(type), options()))
                // The system does not have the function: the caller gets the error that its kernel would return.
                : MethodHandles.dropArguments(failure.ofAbsence(type.returnType()), 0, parameters(type));
    }

    private List<Class<?>> parameters(MethodType type) {
        return failure.isCaptured()
                ? type.insertParameterTypes(0, MemorySegment.class).parameterList()
                : type.parameterList();
    }

    /** {@return the type in whole registers, which hold integers only} */
    private static MethodType widened(MethodType type) {
        type.parameterList().forEach(Downcall::layout);
        return MethodType.methodType(long.class, Collections.nCopies(type.parameterCount(), long.class));
    }

    private static FunctionDescriptor descriptor(MethodType type) {
        MemoryLayout[] parameters = type.parameterList().stream().map(Downcall::layout).toArray(MemoryLayout[]::new);
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
}
