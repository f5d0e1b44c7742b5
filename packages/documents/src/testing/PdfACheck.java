import java.io.FileInputStream;
import java.util.TreeSet;
import org.verapdf.gf.foundry.VeraGreenfieldFoundryProvider;
import org.verapdf.pdfa.Foundries;
import org.verapdf.pdfa.PDFAParser;
import org.verapdf.pdfa.PDFAValidator;
import org.verapdf.pdfa.flavours.PDFAFlavour;
import org.verapdf.pdfa.results.TestAssertion;

/**
 * Validates files as PDF/A-2b with veraPDF. Prints a line for each file: its name, a colon, and the rules that it breaks.
 */
class PdfACheck {
  public static void main(String[] files) throws Exception {
    VeraGreenfieldFoundryProvider.initialise();
    for (String file : files) {
      TreeSet<String> broken = new TreeSet<>();
      try (PDFAParser parser = Foundries.defaultInstance().createParser(new FileInputStream(file), PDFAFlavour.PDFA_2_B);
          PDFAValidator validator = Foundries.defaultInstance().createValidator(PDFAFlavour.PDFA_2_B, false)) {
        for (TestAssertion assertion : validator.validate(parser).getTestAssertions())
          broken.add(assertion.getRuleId().getClause() + " " + assertion.getMessage());
      }
      System.out.println(file + ": " + String.join(" | ", broken));
    }
  }
}
