package dev.sluice.jna;

import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import dev.sluice.calls.Windows;
import dev.sluice.calls.WindowsContract;
import dev.sluice.testing.Depth;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;

@Tag(Depth.BINDING)
class JnaWindowsTest extends WindowsContract {

    JnaWindowsTest() {
        super(new JnaMemory());
    }

    @Override
    protected String fileName(String library) {
        return System.mapLibraryName(library);
    }

    @Override
    protected Windows load(Path directory) {
        for (String library : LIBRARIES) {
            NativeLibrary.addSearchPath(library, directory.toString());
        }
        return new JnaWindows();
    }

    @Override
    protected long addressOf(String library, String function) {
        return Pointer.nativeValue(NativeLibrary.getInstance(library).getFunction(function));
    }
}
