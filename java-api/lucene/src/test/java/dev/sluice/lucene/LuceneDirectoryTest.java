package dev.sluice.lucene;

import com.carrotsearch.randomizedtesting.generators.RandomPicks;
import dev.sluice.files.FileLoop;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.lucene.store.Directory;
import org.apache.lucene.tests.store.BaseDirectoryTestCase;
import org.apache.lucene.tests.util.TestUtil;
import org.junit.AfterClass;
import org.junit.BeforeClass;

/**
 * What Lucene asks of each directory. Its tests choose how ours reads, and how far ahead, at random. The build sets the
 * seed, and {@link LuceneTest} takes others.
 */
public class LuceneDirectoryTest extends BaseDirectoryTestCase {

    private static FileLoop loop;

    @BeforeClass
    public static void openLoop() throws IOException {
        loop = FileLoop.open();
    }

    @AfterClass
    public static void closeLoop() {
        loop.close();
        loop = null;
    }

    @Override
    protected Directory getDirectory(Path path) throws IOException {
        // What is mapped is Lucene's own.
        TestedDirectory way = RandomPicks.randomFrom(random(), List.of(TestedDirectory.CACHED,
                TestedDirectory.CACHED_BY_LOOP, TestedDirectory.DIRECT, TestedDirectory.DEFAULT));
        return way.open(path, loop, TestUtil.nextInt(random(), 0, 20));
    }
}
