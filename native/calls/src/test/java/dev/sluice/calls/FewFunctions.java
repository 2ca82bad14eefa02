package dev.sluice.calls;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Set;

/** What the programs share that run a binding with a C library that has only a few of the functions. */
public final class FewFunctions {

    /** Those that there are. */
    public static final Set<String> THERE = Set.of("epoll_create1", "close");

    /** Warm, the calls are compiled, and may go another way. */
    private static final int ROUNDS = 100;

    private FewFunctions() {
    }

    /**
     * Makes every call again and again, and says what each returns at last.
     *
     * @param posix of a binding
     * @param linux of the same
     */
    public static void sayWhatEachCallReturns(Posix posix, Linux linux) throws ReflectiveOperationException {
        for (int round = 1; round <= ROUNDS; round++) {
            call(Posix.class, posix, round == ROUNDS);
            call(Linux.class, linux, round == ROUNDS);
        }
    }

    private static void call(Class<?> family, Object calls, boolean aloud) throws ReflectiveOperationException {
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
