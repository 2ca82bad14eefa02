package dev.sluice.jna;

import com.sun.jna.SymbolProvider;
import dev.sluice.calls.FewFunctions;
import java.lang.invoke.MethodHandles;
import java.util.List;

/** A program that says what each call returns if the C library has only a few of the functions. */
final class LackingFunctions {

    private LackingFunctions() {
    }

    public static void main(String[] none) throws ReflectiveOperationException {
        SymbolProvider lookUp = (handle, name, next) -> {
            if (FewFunctions.THERE.contains(name)) {
                return next.getSymbolAddress(handle, name, null);
            }
            throw new UnsatisfiedLinkError("this C library has no " + name);
        };
        for (Class<?> methods : List.of(JnaPosix.C.class, JnaLinux.C.class)) {
            // Or it would bind its methods itself, after this.
            MethodHandles.lookup().ensureInitialized(methods);
            CLibrary.register(methods, "c", lookUp);
        }
        FewFunctions.sayWhatEachCallReturns(new JnaPosix(), new JnaLinux());
    }
}
