package dev.sluice.calls.layout;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.layout.Prototypes.Prototype;
import java.io.IOException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the interfaces of {@link CFunctions} say about C: the widths of each function's parameters and result. */
final class FamilyClaims {

    private FamilyClaims() {
    }

    /**
     * Pairs the methods of each interface with the prototypes of their functions.
     *
     * @throws AssertionError if a header lacks a function, or it has another number of parameters
     */
    static List<Claims> of(CCompiler compiler, Class<?>... families) throws IOException, InterruptedException {
        if (families.length == 0) {
            return List.of();
        }
        List<String> headers = Arrays.stream(families).flatMap(family -> headers(family).stream()).toList();
        String pointedAt = Arrays.stream(families).flatMap(FamilyClaims::methods)
                .filter(method -> method.isAnnotationPresent(CPointer.class))
                .map(method -> "extern __typeof__(*(" + method.getAnnotation(CPointer.class).value() + ") 0) "
                        + method.getName() + ";\n")
                .collect(Collectors.joining());
        Prototypes prototypes = compiler.prototypes(headers, pointedAt);
        return Arrays.stream(families).map(family -> new Claims(family.getSimpleName(),
                family.getAnnotation(CFunctions.class).on(), headers(family), methods(family)
                        .flatMap(method -> claims(method, prototypes.get(method.getName())).stream())
                        .toList())).toList();
    }

    private static List<String> headers(Class<?> family) {
        return List.of(family.getAnnotation(CFunctions.class).headers());
    }

    private static Stream<Method> methods(Class<?> family) {
        return Arrays.stream(family.getDeclaredMethods())
                .filter(method -> !method.isAnnotationPresent(Undeclared.class));
    }

    private static List<Claim> claims(Method method, Prototype prototype) {
        List<Class<?>> types = Arrays.asList(method.getParameterTypes());
        List<Class<?>> own = types.subList(method.isAnnotationPresent(CPointer.class) ? 1 : 0, types.size());
        int named = prototype.parameters().size();
        assertTrue(prototype.variadic() ? own.size() >= named : own.size() == named,
                () -> method + " is in C " + prototype);
        List<Claim> claims = new ArrayList<>();
        claims.add(new Claim(method.getName(), "sizeof(" + prototype.result() + ")", width(method.getReturnType())));
        for (int i = 0; i < named; i++) {
            String size = "sizeof(" + prototype.parameters().get(i) + ")";
            // What is narrower than an int travels in the room of one.
            String room = size + " < sizeof(int) ? sizeof(int) : " + size;
            claims.add(new Claim(method.getName() + "_" + (i + 1), room, width(own.get(i))));
        }
        return claims;
    }

    // GNU C gives void the size 1.
    private static int width(Class<?> type) {
        return type == long.class ? Long.BYTES : type == int.class ? Integer.BYTES : 1;
    }
}
