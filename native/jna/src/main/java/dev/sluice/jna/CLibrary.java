package dev.sluice.jna;

import com.sun.jna.Callback;
import com.sun.jna.CallbackReference;
import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import com.sun.jna.SymbolProvider;
import java.util.Map;

/**
 * Binds the native methods of a class to the functions of a C library. JNA alone would reject the whole class if the
 * library lacks one of them; here a missing function is replaced, see {@link Failure}.
 */
final class CLibrary {

    /**
     * The replacement of a missing function. It may be called with any arguments, because the caller removes them from
     * the stack on all supported processors.
     */
    interface Absent extends Callback {

        /** {@return {@link Failure#ABSENT}} */
        long call();
    }

    private static final Absent ABSENT = () -> Failure.ABSENT;

    private CLibrary() {
    }

    /** Binds each native method to the function with its name. */
    static void register(Class<?> methods, String library) {
        register(methods, library, (handle, name, next) -> next.getSymbolAddress(handle, name, null));
    }

    /** As above, with a look-up that throws {@link UnsatisfiedLinkError} for a missing function; for tests. */
    static void register(Class<?> methods, String library, SymbolProvider lookUp) {
        SymbolProvider tolerant = (handle, name, next) -> {
            try {
                return lookUp.getSymbolAddress(handle, name, next);
            } catch (UnsatisfiedLinkError e) {
                return Pointer.nativeValue(CallbackReference.getFunctionPointer(ABSENT));
            }
        };
        Native.register(methods, NativeLibrary.getInstance(library, Map.of(
                Library.OPTION_CLASSLOADER, methods.getClassLoader(), Library.OPTION_SYMBOL_PROVIDER, tolerant)));
    }
}
