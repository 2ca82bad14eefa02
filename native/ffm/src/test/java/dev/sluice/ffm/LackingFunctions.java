package dev.sluice.ffm;

import dev.sluice.calls.Linux;
import dev.sluice.calls.Posix;
import dev.sluice.calls.SmallJvm;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** A program that says what each call returns if the C library has only a few of the functions. */
final class LackingFunctions {

    private static final Set<String> THERE = Set.of("epoll_create1", "close");

    private static final SymbolLookup FEW = name -> THERE.contains(name)
            ? Linker.nativeLinker().defaultLookup().find(name)
            : Optional.empty();

    private LackingFunctions() {
    }

    public static void main(String[] none) throws ReflectiveOperationException {
        link(FfmPosix.class, Posix.class);
        link(FfmLinux.class, Linux.class);
        // Warm, the calls are compiled.
        for (int round = 0; round < 100; round++) {
            say(Posix.class, new FfmPosix(), round == 99);
            say(Linux.class, new FfmLinux(), round == 99);
        }
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

    private static void say(Class<?> family, Object calls, boolean aloud) throws ReflectiveOperationException {
        Method[] methods = family.getDeclaredMethods();
        Arrays.sort(methods, Comparator.comparing(Method::getName));
        for (Method method : methods) {
            Object[] arguments = Arrays.stream(method.getParameterTypes())
                    .map(type -> type == int.class ? (Object) (-1) : (Object) 0L)
                    .toArray();
            Object result = method.invoke(calls, arguments);
            if (aloud) {
                System.out.println(SmallJvm.MARK + method.getName() + " " + result);
            }
        }
    }
}
