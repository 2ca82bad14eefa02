package dev.sluice.ffm;

import dev.sluice.calls.Windows;
import dev.sluice.calls.WindowsContract;
import dev.sluice.testing.Depth;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;

@Tag(Depth.IN_QUICK)
class FfmWindowsTest extends WindowsContract {

    private final Map<String, SymbolLookup> loaded = new HashMap<>();

    FfmWindowsTest() {
        super(new FfmMemory());
    }

    @Override
    protected String fileName(String library) {
        return library;
    }

    // The dynamic linker finds what is loaded already by its name alone.
    @Override
    protected Windows load(Path directory) {
        for (String library : LIBRARIES) {
            loaded.put(library, SymbolLookup.libraryLookup(directory.resolve(library), Arena.global()));
        }
        return new FfmWindows();
    }

    @Override
    protected long addressOf(String library, String function) {
        return loaded.get(library).find(function).orElseThrow().address();
    }
}
