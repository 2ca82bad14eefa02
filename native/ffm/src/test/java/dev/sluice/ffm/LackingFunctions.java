package dev.sluice.ffm;

import dev.sluice.calls.FewFunctions;
import dev.sluice.calls.Linux;
import dev.sluice.calls.Posix;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** A program that says what each call returns if the C library has only a few of the functions. */
final class LackingFunctions {

    private static final SymbolLookup FEW = name -> FewFunctions.THERE.contains(name)
            ? Linker.nativeLinker().defaultLookup().find(name)
            : Optional.empty();

    private LackingFunctions() {
    }

    public static void main(String[] none) throws ReflectiveOperationException {
        link(FfmPosix.class, Posix.class);
        link(FfmLinux.class, Linux.class);
        FewFunctions.sayWhatEachCallReturns(new FfmPosix(), new FfmLinux());
    }

    /** Links all functions, which are constants by the names of theirs, before a first call does. */
    private static void link(Class<?> binding, Class<?> family) throws ReflectiveOperationException {
        Field linked = ForeignFunction.class.getDeclaredField("linked");
        linked.setAccessible(true);
        for (Field constant : binding.getDeclaredFields()) {
            if (constant.getType() == ForeignFunction.class) {
                constant.setAccessible(true);
                String name = constant.getName().toLowerCase(Locale.ROOT);
                CLibrary library = new CLibrary(FEW, declaring(name, binding, family));
                linked.set(constant.get(null), library.function(name).handle());
            }
        }
    }

    /** {@return the interface that declares the function: the family's, or for what the family has not one inside} */
    private static Class<?> declaring(String function, Class<?> binding, Class<?> family) {
        return Arrays.stream(binding.getDeclaredClasses())
                .filter(inside -> Arrays.stream(inside.getDeclaredMethods())
                        .anyMatch(method -> method.getName().equals(function)))
                .findAny().<Class<?>>map(inside -> inside).orElse(family);
    }
}
