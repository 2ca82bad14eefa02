package dev.sluice.jna;

import com.sun.jna.SymbolProvider;
import dev.sluice.calls.Linux;
import dev.sluice.calls.Posix;
import dev.sluice.calls.SmallJvm;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/** A program that says what each call returns if the C library has only a few of the functions. */
final class LackingFunctions {

    private static final Set<String> THERE = Set.of("epoll_create1", "close");

    private LackingFunctions() {
    }

    public static void main(String[] none) throws ReflectiveOperationException {
        SymbolProvider lookUp = (handle, name, next) -> {
            if (THERE.contains(name)) {
                return next.getSymbolAddress(handle, name, null);
            }
            throw new UnsatisfiedLinkError("this C library has no " + name);
        };
        for (Class<?> methods : List.of(JnaPosix.C.class, JnaLinux.C.class)) {
            // Or it would bind its methods itself, after this.
            MethodHandles.lookup().ensureInitialized(methods);
            CLibrary.register(methods, "c", lookUp);
        }
        // Warm, the calls are compiled, and go another way.
        for (int round = 0; round < 100; round++) {
            say(Posix.class, new JnaPosix(), round == 99);
            say(Linux.class, new JnaLinux(), round == 99);
        }
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
