package dev.sluice.calls.layout;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.layout.Prototypes.Prototype;
import java.io.IOException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** What an interface of {@link CFunctions} says about C: the widths of each function's parameters and result. */
final class FamilyClaims {

    private FamilyClaims() {
    }

    /**
     * Pairs the interface's methods with the prototypes of their functions.
     *
     * @throws AssertionError if a header lacks a function, or it has another number of parameters
     */
    static Claims of(Class<?> family, CCompiler compiler) throws IOException, InterruptedException {
        CFunctions functions = family.getAnnotation(CFunctions.class);
        List<String> headers = List.of(functions.headers());
        List<Method> methods = Arrays.stream(family.getDeclaredMethods())
                .filter(method -> !method.isAnnotationPresent(Undeclared.class))
                .toList();
        String pointedAt = methods.stream()
                .filter(method -> method.isAnnotationPresent(CPointer.class))
                .map(method -> "extern __typeof__(*(" + method.getAnnotation(CPointer.class).value() + ") 0) "
                        + method.getName() + ";\n")
                .collect(Collectors.joining());
        Prototypes prototypes = compiler.prototypes(headers, pointedAt);
        return new Claims(family.getSimpleName(), functions.on(), headers, methods.stream()
                .flatMap(method -> claims(method, prototypes.get(method.getName())).stream())
                .toList());
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
